import type { OperationId } from '@hr/schemas';
import type { HrProblem } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/**
 * Why a call failed.
 *
 * - `invalid-option`: an option of `createHrClient` or of a call is invalid; the message names it
 * - `insecure-url`: tokens and personal data would travel over plain http to another machine
 * - `invalid-request`: an argument breaks a rule of the API; `problem.errors` names each place. The outcome is `not-sent`
 *   where this client found it, and `rejected` where the service did (400)
 * - `token-unavailable`: the token provider failed; `tokenErrorCode` has the code of its error
 * - `unauthorized`: 401, also with a new token
 * - `forbidden`: 403
 * - `not-found`: 404
 * - `conflict`: 409; see `problem.kind`
 * - `idempotency-key-reused`: 422: the key belongs to another request, which may have taken effect
 * - `rate-limited`: 429 on the last attempt
 * - `rejected`: any other 4xx
 * - `server-error`: 5xx on the last attempt
 * - `redirected`: the service redirects, which the client never follows
 * - `untrusted-certificate`: the platform does not trust the service's certificate, so nothing was sent
 * - `network`: no connection, or it broke
 * - `timeout`: `timeout` passed before the response was complete, or the service responded with 408
 * - `aborted`: the caller's signal aborted; `cause` is its reason
 * - `invalid-response`: the response is not what the API specifies; `problem.errors` names each place
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
  | 'idempotency-key-reused'
  | 'rate-limited'
  | 'rejected'
  | 'server-error'
  | 'redirected'
  | 'untrusted-certificate'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'invalid-response';

/** The data of an {@link HrError} beside its code. */
export interface HrErrorInit {
  readonly operation?: OperationId | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: number;
  readonly outcome?: Outcome;
  readonly problem?: HrProblem | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly tokenErrorCode?: string | undefined;
  readonly cause?: unknown;
}

// Registered by name, so that two versions of this package in one program recognize each other's errors.
const marker = Symbol.for('@hr/client/HrError');

/**
 * A call that failed. It names places, never values: it contains no token, no body and no personal data. It has a `cause`
 * only where the caller aborted, because the errors underneath contain requests and responses.
 */
export class HrError extends Error {
  override readonly name = 'HrError';
  /** Tells the cases apart. */
  readonly code: HrErrorCode;
  /** The operation, by its id in the table of `@hr/schemas`; undefined for an option of the client. */
  readonly operation: OperationId | undefined;
  /** HTTP status of the last response, where there was one. */
  readonly status: number | undefined;
  /** The service's id of the last request, for the operator. */
  readonly requestId: string | undefined;
  /** How many requests were sent, or started. */
  readonly attempts: number;
  /** Whether the request may have taken effect. */
  readonly outcome: Outcome;
  /** The invalid places, from the service's problem or from a check of this client. */
  readonly problem: HrProblem | undefined;
  /** How long the service asks to wait before another request (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Of `token-unavailable`: the `code` of the token provider's error, such as `invalid-client` of `@hr/auth`. */
  readonly tokenErrorCode: string | undefined;

  constructor(code: HrErrorCode, message: string, init: HrErrorInit = {}) {
    super(message, 'cause' in init ? { cause: init.cause } : undefined);
    this.code = code;
    this.operation = init.operation;
    this.status = init.status;
    this.requestId = init.requestId;
    this.attempts = init.attempts ?? 0;
    this.outcome = init.outcome ?? 'not-sent';
    this.problem = init.problem;
    this.retryAfterMs = init.retryAfterMs;
    this.tokenErrorCode = init.tokenErrorCode;
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
 * if (isHrError(error) && error.outcome === 'unknown') console.error('Ask the payroll administrator first.');
 * ```
 */
export function isHrError(value: unknown): value is HrError {
  return typeof value === 'object' && value !== null && marker in value;
}
