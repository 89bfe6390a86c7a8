import { API_SCOPE, operations, wireNames } from '@hr/schemas';
import type { Body, Operation, OperationId, Operations, PathParameters, Query } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';
import { personAbsences } from '../database/absences.ts';
import { approvedPayments } from '../database/payments.ts';
import { allPersons, changedPersons, patchPerson } from '../database/persons.ts';
import { salaryHistory } from '../database/salaries.ts';
import { submitPaymentOnce } from '../database/submit-payment-once.ts';
import { submitPayment } from '../database/submit-payment.ts';
import { timeBookings } from '../database/time-bookings.ts';
import type { ChangeRoute, ReadRoute, Route } from './route.ts';

/** Handles an operation of the API, once its inputs are checked. */
type Handler<Id extends OperationId> = Operations[Id]['method'] extends 'GET'
  ? ReadRoute<PathParameters<Id>, Query<Id>, Body<Id>>['answer']
  : ChangeRoute<PathParameters<Id>, Query<Id>, Body<Id>>['answer'];

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons({ database, config, query: { changedSince }, grant: { customFields } }) {
    return database.list(
      changedSince === undefined
        ? allPersons(customFields)
        : changedPersons(changedSince, config.timeZone, customFields),
    );
  },

  updatePerson({ transaction, path, body, grant }) {
    return patchPerson(transaction, path.id, body, grant.customFields);
  },

  async submitVariablePayment({ transaction, path, query, body, grant, idempotencyKey }) {
    const submission = {
      payrollContractId: path.contractId,
      billingPeriod: query.billingPeriod,
      payment: body,
      clientId: grant.clientId,
    };
    if (idempotencyKey === undefined) return submitPayment(transaction, submission);
    const submitted = await submitPaymentOnce(transaction, submission, idempotencyKey);
    if (submitted.outcome === 'in-flight') throw problems.keyInFlight();
    if (submitted.outcome === 'reused') throw problems.keyReused();
    return submitted.payment;
  },

  listVariablePayments({ database, path, query }) {
    return approvedPayments(database, path.contractId, query.billingPeriod);
  },

  listTimeBookings({ database, config, query }) {
    return database.list(timeBookings({ ...query, timeZone: config.timeZone }));
  },

  listSalaryHistory({ database, path, query }) {
    return salaryHistory(database, path.contractId, query);
  },

  listAbsences({ database, config, path, query }) {
    return personAbsences(database, path.personId, { ...query, timeZone: config.timeZone });
  },
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
