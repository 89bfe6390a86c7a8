import { problemKinds, problemType } from '@hr/schemas';
import type { Issue, Problem, ProblemKind } from '@hr/schemas';

interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the answer beyond those of every problem. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An error answer (RFC 9457): thrown anywhere on the way of a request. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  /** @param detail says what is wrong with this request and what helps */
  constructor(kind: ProblemKind, detail: string, { headers = {}, members = {} }: ProblemOptions = {}) {
    super(detail);
    this.code = kind;
    this.headers = headers;
    this.members = members;
  }

  get status(): number {
    return problemKinds[this.code].status;
  }

  /** The body of the answer. */
  body(place: Pick<Problem, 'instance' | 'requestId'>): Problem {
    const { title, status } = problemKinds[this.code];
    return { type: problemType(this.code), title, status, detail: this.message, ...place, ...this.members };
  }
}

const MOST_ISSUES_SHOWN = 50;

/** The answer to bad input. */
export function invalidRequest(issues: readonly Issue[]): HttpProblem {
  const [first, ...others] = issues;
  const more = others.length > 0 ? ` And ${others.length} more, see errors.` : '';
  return new HttpProblem('invalid-request', `${first?.pointer || 'The body'} ${first?.detail}.${more}`, {
    members: { errors: issues.slice(0, MOST_ISSUES_SHOWN) },
  });
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** The answer of an HR cloud that cannot answer just now. */
export function unavailable(retryAfterSeconds = UNAVAILABLE_RETRY_SECONDS): HttpProblem {
  return new HttpProblem('unavailable', 'The database cannot be reached now. Ask again in a moment.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
