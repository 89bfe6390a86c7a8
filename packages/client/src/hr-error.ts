import type { OperationId } from '@hr/schemas/checks';
import type { HrProblem } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/**
 * Why a call failed. A minor version may add codes: handle others like `rejected`, by `outcome`.
 *
 * - `invalid-option`: an option of `createHrClient` or of a call is invalid; the message names it
 * - `insecure-url`: tokens and personal data would travel over plain http to another machine
 * - `invalid-request`: an argument breaks a rule of the API; `problem.errors` names each place. The outcome is
 *   `not-sent` if the client found it, and `rejected` if the service did (400)
 * - `token-unavailable`: the token provider failed; `tokenErrorCode` has the code of its error
 * - `unauthorized`: 401, and 401 again with a new token
 * - `forbidden`: 403
 * - `not-found`: 404
 * - `conflict`: 409; see `problem.kind`
 * - `idempotency-key-reused`: 422: the key belongs to another request, which may have taken effect
 * - `rate-limited`: 429 on the last attempt
 * - `rejected`: any other 4xx
 * - `server-error`: 5xx on the last attempt
 * - `redirected`: the service redirects, and the client does not follow
 * - `untrusted-certificate`: the platform does not trust the service's certificate, so nothing was sent
 * - `network`: no connection, or it broke
 * - `fetch-failed`: the platform refuses to send the request, or the option `fetch` threw an error that is none of the
 *   network; then `cause` is that error without its message
 * - `timeout`: `timeout` passed before the response was complete, `attemptTimeout` before it began or `idleTimeout` within
 *   it, or the service responded with 408
 * - `aborted`: the caller's signal aborted; `cause` is its reason
 * - `invalid-response`: the response violates the specification; `problem.errors` names each place
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
  | 'fetch-failed'
  | 'timeout'
  | 'aborted'
  | 'invalid-response'
  | (string & {});

/** The codes of this version. */
export type KnownErrorCode = Literal<HrErrorCode>;

type Literal<Code extends string> = Code extends unknown ? (string extends Code ? never : Code) : never;

/** The data of an {@link HrError} beside its code. */
export interface HrErrorInit {
  readonly operation?: OperationId | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly problem?: HrProblem | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly tokenErrorCode?: string | undefined;
  readonly cause?: unknown;
}

const transientCodes: ReadonlySet<string | undefined> = new Set(['network', 'timeout', 'server-error', 'rate-limited']);

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/client/HrError');

/**
 * A call that failed. It names places, not values: it contains no token, no body and no personal data. It has a `cause`
 * only if the caller aborted, or a function `auth` or `fetch` of the caller threw, because other underlying errors contain
 * requests and responses.
 */
export class HrError extends Error {
  override readonly name = 'HrError';
  /** The reason; messages may change in any version. */
  readonly code: HrErrorCode;
  /** The operation, by its id in the table of `@hr/schemas`; undefined for an option of the client. */
  readonly operation: OperationId | undefined;
  /** HTTP status of the last response, if there was one. */
  readonly status: number | undefined;
  /** The service's id of the last request. Send it to the operator. */
  readonly requestId: string | undefined;
  /** Number of requests that were sent or started. */
  readonly attempts: number;
  /** Whether the request may have taken effect. */
  readonly outcome: Outcome;
  /** The invalid places, from the service's problem or from a check of this client. */
  readonly problem: HrProblem | undefined;
  /** The wait that the service asked for with `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For `token-unavailable`: the `code` of the token provider's error, such as `invalid-client` of `@hr/auth`. */
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

  /** Whether the same call can succeed later: there was no connection or no time, or the service was busy or failed. */
  get isTransient(): boolean {
    return transientCodes.has(this.code === 'token-unavailable' ? this.tokenErrorCode : this.code);
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is an {@link HrError}, including one of another version of this package.
 *
 * @example
 * ```ts
 * if (isHrError(error) && error.outcome === 'unknown') console.error('Ask the payroll administrator first.');
 * ```
 */
export function isHrError(value: unknown): value is HrError {
  return typeof value === 'object' && value !== null && marker in value;
}

/** @throws {HrError} `invalid-option`, if an option is invalid. */
export function checkOption(isValid: boolean, message: string): void {
  if (!isValid) throw new HrError('invalid-option', message);
}
