import { API_SCOPE, operations, wireNames } from '@hr/schemas';
import type { Operation, OperationId } from '@hr/schemas';
import type { Handler } from './handler.ts';
import { listAbsences } from './operations/list-absences.ts';
import { listPersons } from './operations/list-persons.ts';
import { listSalaryHistory } from './operations/list-salary-history.ts';
import { listTimeBookings } from './operations/list-time-bookings.ts';
import { listVariablePayments } from './operations/list-variable-payments.ts';
import { submitVariablePayment } from './operations/submit-variable-payment.ts';
import { updatePerson } from './operations/update-person.ts';
import type { Route } from './route.ts';

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons,
  updatePerson,
  submitVariablePayment,
  listVariablePayments,
  listTimeBookings,
  listSalaryHistory,
  listAbsences,
};

/** The routes of the API: its operation table, with the handlers. */
export const apiRoutes: readonly Route[] = Object.entries<Operation>(operations).map(([id, operation]) => ({
  ...operation,
  id,
  scope: API_SCOPE,
  wireNames: (wireNames as Readonly<Record<string, Route['wireNames']>>)[id] ?? {},
  // Sound: the handler of an id takes what the schemas and the method of the same id let through.
  answer: handlers[id as OperationId] as never,
}));
