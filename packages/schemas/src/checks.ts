/**
 * The checks of requests and responses, and all else that a client needs, without zod. They find what the models find.
 *
 * @packageDocumentation
 */
import { bodyChecks, changeChecks, pathChecks, queryChecks, responseChecks } from './generated/checks.ts';
import { IssueList } from './issue-report.ts';
import { issuesOf, type Issue } from './issues.ts';
import type { OperationId } from './operation-types.ts';
import { idempotencyKey } from './value-rules.ts';

export { changeKinds, endpoints, wireNames } from './endpoints.ts';
export type {
  Address as RequestAddress,
  BankDetails as RequestBankDetails,
  NewWebhookEndpoint,
  PersonPatch,
  VariablePaymentRequest,
} from './generated/models.ts';
export type {
  Absence,
  AbsenceDelta,
  Address,
  BankDetails,
  Changes,
  CustomField,
  Employment,
  Group,
  LegalEntity,
  Person,
  PersonDelta,
  ResponseTypes,
  SalaryHistoryEntry,
  SalaryValue,
  TimeBooking,
  TimeBookingDay,
  TimeBookingDayDelta,
  TimeBookingPerson,
  TimeBookingPersonDelta,
  VariablePayment,
  VariablePaymentDecision,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WorkingHours,
} from './generated/responses.ts';
export { isLocalDate } from './is-local-date.ts';
export type { Issue, IssueCode } from './issues.ts';
export type {
  Body,
  ChangeOf,
  Lenient,
  ListOperationId,
  OperationId,
  PathParameters,
  Query,
  ResponseOf,
} from './operation-types.ts';
export { problemKinds, problemType } from './problem-kinds.ts';
export type { ProblemKind } from './problem-kinds.ts';
export type { ChangeKind, WireNames } from './endpoints.ts';
export { cursorPattern } from './value-rules.ts';

/** A part of a request, copied, with the faults of the original. */
export interface CheckedPart {
  readonly copy: unknown;
  readonly issues: readonly Issue[];
}

const partChecks = { path: pathChecks, query: queryChecks, body: bodyChecks };

/**
 * Checks a part of a request. It reads each field once, into a copy that has only known names: send the copy.
 *
 * @throws {RangeError} if the operation is unknown, or has no body.
 * @example
 * const { copy, issues } = checkPart('updatePerson', 'body', { bankDetails: { bic: 'X' } });
 * // issues: [{ pointer: '/bankDetails/bic', code: 'too-short', … }]
 */
export function checkPart(id: OperationId, part: 'path' | 'query' | 'body', value: unknown): CheckedPart {
  const check = own(partChecks[part], id);
  if (!check) throw new RangeError(`checkPart: ${id} has no ${part}. See operations.`);
  const issues = new IssueList();
  const copy: unknown = check(value, issues);
  return { copy, issues: issuesOf({ issues: issues.found }, value) };
}

/** Checks the value of the header `Idempotency-Key`. */
export function checkIdempotencyKey(value: unknown): readonly Issue[] {
  const issue = typeof value === 'string' ? idempotencyKey(value) : { code: 'invalid_type', expected: 'string' };
  return issue ? issuesOf({ issues: [issue] }, value) : [];
}

/**
 * A fault of a response, or of one element of a list.
 *
 * @sealed
 */
export interface ResponseFault extends Issue {
  /**
   * Whether the value has the wrong type: a type is wrong, or a required field is missing or `null`. Other faults are
   * broken bounds.
   */
  readonly unusable: boolean;
}

/**
 * Returns the faults of a value, none if it is valid: the first 100, or `limit` if that is less, and the first unusable
 * value even if it comes later. It looks for no others.
 */
export type ResponseCheck = (value: unknown, limit?: number) => readonly ResponseFault[];

const MAX_FAULTS = 100;
const none: readonly ResponseFault[] = [];

/**
 * Creates the check of an operation's response, or of one element of its list. It is tolerant (see {@link Lenient}), and
 * does not check bounds that the specification does not state.
 *
 * @param options.changes - Whether the list has changes instead of full elements, as with `changedSince` or `after`.
 * @throws {RangeError} if the operation is unknown.
 * @example
 * const faults = responseCheck('listPersons')({ id: '1', jobTitle: 'x'.repeat(401) });
 * // [{ pointer: '/jobTitle', code: 'too-long', unusable: false, … }]
 */
export function responseCheck(id: OperationId, { changes = false } = {}): ResponseCheck {
  const check = (changes && own(changeChecks, id)) || own(responseChecks, id);
  if (!check) throw new RangeError('responseCheck: unknown operation. See operations.');
  return (value, limit = MAX_FAULTS) => {
    const issues = new IssueList(Math.min(limit, MAX_FAULTS));
    check(value, issues);
    return issues.length === 0 ? none : faultsOf(issues, value);
  };
}

/** Deeper than any model. */
const MAX_DEPTH = 16;

/**
 * Returns the texts of a response, or of one element of a list, that have lone surrogates, which I-JSON excludes (RFC
 * 7493 section 2.1). It also looks into fields that the API does not have, and not deeper than 16 levels. In JSON only
 * an escape such as `\\ud83d` makes one, so a response without a backslash has none.
 *
 * @param limit - Maximum number of faults to look for.
 * @example
 * loneSurrogates(JSON.parse('{"lastName":"\\ud83d"}')); // [{ pointer: '/lastName', code: 'wrong-format', … }]
 */
export function loneSurrogates(value: unknown, limit: number = MAX_FAULTS): readonly ResponseFault[] {
  const found: { readonly code: string; readonly format: string; readonly path: PropertyKey[] }[] = [];
  const path: PropertyKey[] = [];
  visit(value);
  return issuesOf({ issues: found }, value).map((issue) => ({ ...issue, unusable: false }));

  function visit(part: unknown): void {
    if (typeof part === 'string') {
      if (!part.isWellFormed()) found.push({ code: 'invalid_format', format: 'unicode', path: [...path] });
    } else if (typeof part === 'object' && part !== null && path.length < MAX_DEPTH) {
      if (Array.isArray(part)) for (let index = 0; index < part.length; index++) below(part[index], index);
      else for (const name in part) below((part as Readonly<Record<string, unknown>>)[name], name);
    }
  }

  function below(part: unknown, name: PropertyKey): void {
    if (found.length >= limit) return;
    path.push(name);
    visit(part);
    path.pop();
  }
}

function faultsOf({ found }: IssueList, value: unknown): ResponseFault[] {
  const faults = issuesOf({ issues: found }, value);
  // A response has one issue for each fault: no unknown names.
  const unusable = new Set(faults.filter((_, index) => found[index]?.unusable).map(placeOf));
  return faults.map((fault) => ({ ...fault, unusable: unusable.has(placeOf(fault)) }));
}

function placeOf({ pointer }: Issue): string {
  return pointer;
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
