import type { OperationId } from '@hr/schemas';
import type { HrProblem } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/**
 * Why a call failed.
 *
 * - `invalid-option`: an option of `createHrClient` or of a call is wrong; the message names it
 * - `insecure-url`: tokens and personal data would travel over plain http to another machine
 * - `invalid-request`: an argument breaks a rule of the API; `problem.errors` names each place. `outcome` tells who
 *   found it: `not-sent` this client, `rejected` the service (400)
 * - `token-unavailable`: the token provider had none
 * - `unauthorized`: 401, also to a fresh token
 * - `forbidden`: 403
 * - `not-found`: 404
 * - `conflict`: 409; `problem.type` tells which
 * - `rate-limited`: 429 on the last attempt
 * - `rejected`: any other answer in the 400s
 * - `server-error`: a status of 500 or more on the last attempt
 * - `redirected`: the service redirects, which is never followed
 * - `untrusted-certificate`: the service showed a certificate that the platform does not trust, so nothing was sent
 * - `network`: no connection, or one that broke
 * - `timeout`: `timeout` passed before the answer was there in full, or the service answered 408
 * - `invalid-response`: an answer came, but it is not what the API says
 */
export type HrErrorCode =
  | 'invalid-option'
  | 'insecure-url'
  | 'invalid-request'
  | 'token-unavailable'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'rate-limited'
  | 'rejected'
  | 'server-error'
  | 'redirected'
  | 'untrusted-certificate'
  | 'network'
  | 'timeout'
  | 'invalid-response';

/** What an {@link HrError} knows beside its code. */
export interface HrErrorFacts {
  readonly operation?: OperationId | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: number;
  readonly outcome?: Outcome;
  readonly problem?: HrProblem | undefined;
}

// Registered under a name, so that two versions of this package in one program know each other's errors.
const marker = Symbol.for('@hr/client/HrError');

/**
 * A call that failed. It names places, never values: no token, no body, nothing of a person is in it. It has no
 * `cause`, because the errors underneath hold requests and responses.
 */
export class HrError extends Error {
  override readonly name = 'HrError';
  /** Tells the cases apart. */
  readonly code: HrErrorCode;
  /** The operation, by its id in the table of `@hr/schemas`; undefined for an option of the client. */
  readonly operation: OperationId | undefined;
  /** HTTP status of the last answer, where there was one. */
  readonly status: number | undefined;
  /** The service's id of the last request, to tell the operator. */
  readonly requestId: string | undefined;
  /** How many requests were sent, or begun to be sent. */
  readonly attempts: number;
  /** Whether the request may have taken effect. */
  readonly outcome: Outcome;
  /** What is wrong where, by the service's problem answer or by the check of this client. */
  readonly problem: HrProblem | undefined;

  constructor(code: HrErrorCode, message: string, facts: HrErrorFacts = {}) {
    super(message);
    this.code = code;
    this.operation = facts.operation;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.attempts = facts.attempts ?? 0;
    this.outcome = facts.outcome ?? 'not-sent';
    this.problem = facts.problem;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is an {@link HrError}, also one of another version of this package.
 *
 * @example
 * ```ts
 * if (isHrError(error) && error.outcome === 'unknown') await lookWhetherThePaymentIsThere();
 * ```
 */
export function isHrError(value: unknown): value is HrError {
  return typeof value === 'object' && value !== null && marker in value;
}
