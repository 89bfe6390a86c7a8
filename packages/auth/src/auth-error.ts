/**
 * Why there is no token.
 *
 * - `invalid-option`: an option is missing or wrong; the message names it
 * - `insecure-url`: the secret would travel over plain http to another machine
 * - `secret-unavailable`: the `clientSecret` function failed, or returned nothing usable
 * - `invalid-client`: the server does not accept the client id and secret (RFC 6749, section 5.2)
 * - `invalid-scope`: the scope is unknown, or not granted to this client
 * - `rejected`: any other answer in the 400s
 * - `rate-limited`: 429 on the last attempt
 * - `server-error`: a status of 500 or more on the last attempt
 * - `network`: no answer, or one that broke off, on the last attempt
 * - `timeout`: `timeout` passed before there was a token
 * - `invalid-response`: the answer is not a bearer token response (RFC 6749, section 5.1)
 * - `redirected`: the server redirects, which is never followed
 */
export type AuthErrorCode =
  | 'invalid-option'
  | 'insecure-url'
  | 'secret-unavailable'
  | 'invalid-client'
  | 'invalid-scope'
  | 'rejected'
  | 'rate-limited'
  | 'server-error'
  | 'network'
  | 'timeout'
  | 'invalid-response'
  | 'redirected';

/** What an {@link AuthError} knows beside its code. */
export interface AuthErrorFacts {
  readonly status?: number | undefined;
  readonly attempts?: number;
  readonly retryAfterMs?: number | undefined;
}

// Registered under a name, so that two versions of this package in one program know each other's errors.
const marker = Symbol.for('@hr/auth/AuthError');

/**
 * No token could be had. Neither the secret nor a token nor anything the server wrote is in it, and it has no `cause`:
 * the errors underneath hold requests and responses.
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  /** Tells the cases apart. */
  readonly code: AuthErrorCode;
  /** HTTP status of the last answer, where there was one. */
  readonly status: number | undefined;
  /** How many token requests were begun. */
  readonly attempts: number;
  /** How long the server asked to wait (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: AuthErrorCode, message: string, { status, attempts = 0, retryAfterMs }: AuthErrorFacts = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is an {@link AuthError}, also one of another version of this package.
 *
 * @example
 * ```ts
 * const needsOperator = (error: unknown) => isAuthError(error) && error.code === 'invalid-client';
 * ```
 */
export function isAuthError(value: unknown): value is AuthError {
  return typeof value === 'object' && value !== null && marker in value;
}
