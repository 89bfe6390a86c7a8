import type { Problem } from '../problem.ts';
import { problemKinds, problemType, type ProblemKind } from '../problem-kinds.ts';
import { HttpError, type ErrorPlace } from './http-error.ts';

/** Additional data of a problem. */
export interface HttpProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body. */
  readonly members?: Readonly<Record<string, unknown>>;
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
