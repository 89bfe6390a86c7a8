/**
 * Why no token is available. A minor version may add codes.
 *
 * - `invalid-option`: an option is missing or wrong; the message names it
 * - `insecure-url`: the secret would travel over plain http to another machine
 * - `secret-unavailable`: the `clientSecret` or `privateKey` function failed, or returned an unusable value
 * - `invalid-client`: the server rejects the client id, the secret or the key (RFC 6749, section 5.2)
 * - `invalid-scope`: the scope is unknown, or not granted to this client
 * - `rejected`: any other 4xx
 * - `rate-limited`: 429 on the last attempt
 * - `server-error`: 5xx on the last attempt
 * - `network`: no complete response on the last attempt, or one that took longer than the token lives
 * - `fetch-failed`: the platform refuses to send the request, or the option `fetch` threw an error that is none of the network
 * - `timeout`: `timeout` passed before there was a token
 * - `invalid-response`: not a bearer token response (RFC 6749, section 5.1)
 * - `redirected`: the server redirects, and the provider does not follow
 *
 * @example
 * const needsOperator = (code: AuthErrorCode) => code === 'invalid-client' || code === 'invalid-scope';
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
  | 'fetch-failed'
  | 'timeout'
  | 'invalid-response'
  | 'redirected'
  | (string & {});

/**
 * Error code of a token response (RFC 6749, section 5.2). A minor version may add codes, such as those of other RFCs.
 *
 * @example
 * const code: OAuthErrorCode = 'unauthorized_client';
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | (string & {});

/**
 * The data of an {@link AuthError} beside its code.
 *
 * @example
 * const init: AuthErrorInit = { status: 429, attempts: 4, retryAfterMs: 1000 };
 */
export type AuthErrorInit = Partial<Pick<AuthError, 'status' | 'attempts' | 'retryAfterMs' | 'oauthError'>>;

// A registered symbol is the same in every version of this package, unlike a class.
const marker = Symbol.for('@hr/auth/AuthError');

/**
 * No token is available. The error contains no secret, no token and no text of the server. It has no `cause`, because
 * the underlying errors hold requests and responses.
 *
 * @example
 * const error = new AuthError('timeout', 'No token within 30000 ms.', { attempts: 1 });
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  /** The reason; messages may change in any version. */
  readonly code: AuthErrorCode;
  /** HTTP status of the last response, if there was one. */
  readonly status: number | undefined;
  /** Number of token requests sent. */
  readonly attempts: number;
  /** The wait that the server asked for with `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The error code in the response, if it is one of RFC 6749. */
  readonly oauthError: OAuthErrorCode | undefined;

  constructor(
    code: AuthErrorCode,
    message: string,
    { status, attempts = 0, retryAfterMs, oauthError }: AuthErrorInit = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
    this.oauthError = oauthError;
  }

  get [marker](): true {
    return true;
  }
}

/**
 * Whether a caught value is an {@link AuthError}, including one of another version of this package.
 *
 * @example
 * const needsOperator = (error: unknown) => isAuthError(error) && error.code === 'invalid-client';
 */
export function isAuthError(value: unknown): value is AuthError {
  return typeof value === 'object' && value !== null && marker in value;
}
