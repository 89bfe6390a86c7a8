import type { Problem } from '../problem.ts';
import { problemKinds, problemType, type ProblemKind } from '../problem-kinds.ts';
import type { TokenError } from '../oauth.ts';

/** The place of an error. */
export interface ErrorPlace {
  /** The path of the request, without its query. */
  readonly instance?: string | undefined;
  readonly requestId: string;
}

/**
 * An error that ends a request with a response of its own. Throw it anywhere while you handle a request, and send
 * `status`, `headers` and `body()` where you catch it.
 *
 * @example
 * if (error instanceof HttpError) console.log(error.status, error.body({ requestId: 'run-7' }));
 */
export abstract class HttpError extends Error {
  /** The kind of the error. */
  abstract readonly code: string;
  abstract readonly status: number;
  abstract readonly contentType: string;
  /** Headers of the response beyond `Content-Type`, in lower case. */
  abstract readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the response. */
  abstract body(place: ErrorPlace): object;
}

/** Additional data of a problem. */
export interface HttpProblemOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Additional members of the body. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An error response of the API: `application/problem+json` (RFC 9457).
 *
 * @example
 * throw new HttpProblem('not-found', 'There is no person with this id.');
 */
export class HttpProblem extends HttpError {
  override readonly name = 'HttpProblem';
  readonly code: ProblemKind;
  readonly contentType = 'application/problem+json';
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  /** @param detail what is wrong with this request, and what to do */
  constructor(kind: ProblemKind, detail: string, { headers = {}, members = {} }: HttpProblemOptions = {}) {
    super(detail);
    this.code = kind;
    this.headers = headers;
    this.members = members;
  }

  get status(): number {
    return problemKinds[this.code].status;
  }

  body(place: ErrorPlace): Problem {
    const { title, status } = problemKinds[this.code];
    return { type: problemType(this.code), title, status, detail: this.message, ...place, ...this.members };
  }
}

/**
 * An error response of an OAuth endpoint (RFC 6749 section 5.2).
 *
 * @example
 * throw new OAuthError('invalid_request', 'grant_type is missing.');
 */
export class OAuthError extends HttpError {
  override readonly name = 'OAuthError';
  readonly code: TokenError['error'];
  readonly contentType = 'application/json';

  constructor(code: TokenError['error'], description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return this.code === 'invalid_client' ? 401 : 400;
  }

  get headers(): Record<string, string> {
    return this.code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="hr-cloud"' } : {};
  }

  body(): TokenError {
    return { error: this.code, error_description: this.message };
  }
}

/**
 * The client cannot be authenticated. The message is the same for every reason, so that an attacker learns nothing.
 *
 * @example
 * throw invalidClient();
 */
export function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client id or its secret is wrong or missing.');
}
