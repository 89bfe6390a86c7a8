import { isHrError, type CallOptions, type HrClient, type HrErrorCode, type HrList } from '@hr/client';
import type { OperationId, Operations } from '@hr/schemas';
import type { Fault } from '../backend/problem.ts';
import { maskBankDetails } from '../model/masked-bank-details.ts';

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

interface Failure {
  readonly code: HrErrorCode;
  readonly title: string | undefined;
  readonly errors: readonly Fault[];
}

/** What came of a call that a person tried. */
export type TriedCall = Awaited<ReturnType<typeof runOperation>>;

/** Calls an operation, and reads its list to the end, so that the count is true. */
export async function runOperation(
  hr: HrClient,
  operation: ReadingOperationId,
  parameters: Readonly<Record<string, string>>,
) {
  const start = performance.now();
  let head: { readonly status?: number; readonly requestId?: string | undefined } = {};
  let failure: Failure | undefined;
  /** The first ones, masked. */
  const elements: unknown[] = [];
  let count = 0;
  const onEvent: CallOptions['onEvent'] = (event) => {
    if (event.type === 'response') head = event;
  };
  try {
    for await (const element of calls[operation](hr, parameters, { onEvent })) {
      count += 1;
      if (count <= MAX_ELEMENTS) elements.push(maskedResponse(element));
    }
  } catch (error) {
    if (!isHrError(error)) throw error;
    failure = { code: error.code, title: error.problem?.title, errors: error.problem?.errors ?? [] };
  }
  const { status, requestId } = head;
  const durationMs = performance.now() - start;
  return { status, requestId, durationMs, response: failure ? undefined : { count, elements }, failure };
}

const MAX_ELEMENTS = 20;
const HIDDEN = '••••';
/** What leads to a door or a letter box. */
const addressFields = new Set(['street', 'houseNumber', 'additionalAddressInfo', 'postOfficeBox', 'zipCode']);
/** An IBAN has 15 characters at least, and people write it with spaces. */
const ibanPattern = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/gi;

/** A response as the browser may see it: without bank details and addresses, and without what is beyond the first elements of its arrays. */
export function maskedResponse(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    return addressFields.has(name) && value !== '' ? HIDDEN : value.replaceAll(ibanPattern, HIDDEN);
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ELEMENTS).map((element) => maskedResponse(element, name));
    return value.length > MAX_ELEMENTS ? [...shown, `… ${value.length - MAX_ELEMENTS}`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'bankDetails') return maskedResponse(maskBankDetails(value));
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, maskedResponse(property, key)]));
}
