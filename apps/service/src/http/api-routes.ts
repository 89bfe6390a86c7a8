import { API_SCOPE, operations, wireNames } from '@hr/schemas';
import type { Operation, OperationId, Operations } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';
import { listAbsences } from '../time/absences.ts';
import type { Config } from '../config.ts';
import { changesSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import type { Database } from '../database/database.ts';
import { listVariablePayments } from '../payroll/variable-payments.ts';
import { listPersons, updatePerson } from '../persons/persons.ts';
import { listSalaryHistory } from '../payroll/salary-history.ts';
import { submitVariablePayment, submitVariablePaymentOnce } from '../payroll/submit-variable-payment.ts';
import { listTimeBookings } from '../time/time-bookings.ts';
import type { Handler, Route } from './route.ts';

/** The change sets of a list of changes; `undefined` for a whole list. */
async function sinceOf(
  changedSince: string | undefined,
  database: Database,
  { timeZone }: Pick<Config, 'timeZone'>,
): Promise<Since | undefined> {
  return changedSince === undefined ? undefined : changesSince(database, changedSince, timeZone);
}

const handlers: { readonly [Id in OperationId]: Handler<Operations[Id]> } = {
  async listPersons({ database, config, query: { changedSince }, grant }) {
    const since = await sinceOf(changedSince, database, config);
    return database.list(listPersons(grant, since));
  },

  updatePerson({ transaction, path, body, grant }) {
    return updatePerson(transaction, path.id, body, grant);
  },

  async submitVariablePayment({ transaction, path, query, body, grant, idempotencyKey }) {
    const submission = {
      payrollContractId: path.contractId,
      billingPeriod: query.billingPeriod,
      payment: body,
      clientId: grant.clientId,
    };
    if (idempotencyKey === undefined) return submitVariablePayment(transaction, submission);
    const submitted = await submitVariablePaymentOnce(transaction, submission, idempotencyKey);
    if (submitted.outcome === 'in-flight') throw problems.keyInFlight();
    if (submitted.outcome === 'reused') throw problems.keyReused();
    return submitted.payment;
  },

  listVariablePayments({ database, path, query }) {
    return listVariablePayments(database, path.contractId, query.billingPeriod);
  },

  async listTimeBookings({ database, config, query: { changedSince, ...period } }) {
    const since = await sinceOf(changedSince, database, config);
    return database.list(listTimeBookings(period, since));
  },

  listSalaryHistory({ database, path, query }) {
    return listSalaryHistory(database, path.contractId, query);
  },

  async listAbsences({ database, config, path, query: { changedSince, ...window } }) {
    const since = await sinceOf(changedSince, database, config);
    return listAbsences(database, path.personId, window, since);
  },
};

/** The routes of the API: its operation table, with the handlers. */
export const apiRoutes: readonly Route[] = Object.entries<Operation>(operations).map(([id, operation]) => ({
  ...operation,
  id,
  stream: undefined,
  scopes: [API_SCOPE],
  wireNames: (wireNames as Readonly<Record<string, Route['wireNames']>>)[id] ?? {},
  // Sound: the handler of an id takes what the schemas and the method of the same id let through.
  answer: handlers[id as OperationId] as never,
}));
