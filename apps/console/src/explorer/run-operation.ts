import { isHrError, type HrClient, type HrErrorCode, type HrList, type CallOptions } from '@hr/client';
import type { OperationId, Operations } from '@hr/schemas';
import type { Fault } from '../backend/problem.ts';
import { MAX_ELEMENTS, maskedResponse } from './masked-response.ts';

/** What came of a call that a person tried. */
export interface TriedCall {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** Undefined if it failed. */
  readonly response:
    | {
        /** How many elements the list has. */
        readonly count: number;
        /** The first of them, masked. */
        readonly elements: readonly unknown[];
      }
    | undefined;
  readonly failure:
    | { readonly code: HrErrorCode; readonly title: string | undefined; readonly errors: readonly Fault[] }
    | undefined;
}

type Call = (
  hr: HrClient,
  query: Readonly<Record<string, string>>,
  options: CallOptions,
) => HrList<unknown> | readonly Promise<unknown>[];

/** The operations that can be tried, because they change nothing. */
export type ReadingOperationId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never;
}[OperationId];

/** The parameters of the path stand beside the others. */
const calls: Readonly<Record<ReadingOperationId, Call>> = {
  listPersons: (hr, query, options) => hr.persons.list(query, options),
  listVariablePayments: (hr, { contractId = '', ...query }, options) =>
    hr.payroll.variablePayments(contractId, query, options),
  listSalaryHistory: (hr, { contractId = '', ...query }, options) =>
    hr.payroll.salaryHistory(contractId, query, options),
  listVariablePaymentDecisions: (hr, query, options) => hr.payroll.decisions(query, options),
  listAllSalaries: (hr, query, options) => hr.payroll.allSalaries(query, options),
  listTimeBookings: (hr, query, options) => hr.time.bookings(query, options),
  listAbsences: (hr, { personId = '', ...query }, options) => hr.time.absences(personId, query, options),
  listAllAbsences: (hr, query, options) => hr.time.allAbsences(query, options),
  listWebhookEndpoints: (hr, _query, options) => hr.webhooks.list(options),
  listWebhookDeliveries: (hr, { endpointId = '' }, options) => hr.webhooks.deliveries(endpointId, options),
  getChanges: (hr, { wait = 0, ...query }, options) => [hr.changes.get({ ...query, wait: Number(wait) }, options)],
};

export const readingOperations = Object.keys(calls) as ReadingOperationId[];

/** Calls an operation, and reads its list to the end, so that the count is true. */
export async function runOperation(
  hr: HrClient,
  operation: ReadingOperationId,
  parameters: Readonly<Record<string, string>>,
): Promise<TriedCall> {
  const start = performance.now();
  let status: number | undefined;
  let requestId: string | undefined;
  const options: CallOptions = {
    onEvent: (event) => {
      if (event.type === 'response') ({ status, requestId } = event);
    },
  };
  const elements: unknown[] = [];
  let count = 0;
  try {
    for await (const element of calls[operation](hr, parameters, options)) {
      count += 1;
      if (count <= MAX_ELEMENTS) elements.push(maskedResponse(element));
    }
  } catch (error) {
    if (!isHrError(error)) throw error;
    const { code, problem } = error;
    const failure = { code, title: problem?.title, errors: problem?.errors ?? [] };
    return { status, requestId, durationMs: performance.now() - start, response: undefined, failure };
  }
  return {
    status,
    requestId,
    durationMs: performance.now() - start,
    response: { count, elements },
    failure: undefined,
  };
}
