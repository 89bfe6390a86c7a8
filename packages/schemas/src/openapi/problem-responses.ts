import { problemsOf } from '../operation-problems.ts';
import { operations } from '../operations.ts';
import type { OperationId } from '../operation-types.ts';
import { Problem } from '../problem.ts';
import { problemKinds, problemType, type ProblemKind } from '../problem-kinds.ts';
import { schemaReference } from './schema-objects.ts';

/** Header of a response that requires a token (RFC 6750, section 3). */
export const authenticate = { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } };

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };

/** Header fields of a response that counts against a limit (draft-ietf-httpapi-ratelimit-headers-10). */
const rateLimit = {
  'RateLimit-Policy': {
    description: 'The limit: `"client";q=100;w=60` is 100 requests of a client in 60 seconds.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of it: `"client";r=37;t=12` is 37 requests, and all again in 12 seconds.',
    schema: { type: 'string' },
  },
};

const headers: { readonly [Kind in ProblemKind]?: object } = {
  unauthorized: authenticate,
  'idempotency-key-in-flight': retryAfter,
  'too-many-requests': { ...retryAfter, ...rateLimit },
  unavailable: retryAfter,
};

/** The entries of a Responses Object for kinds of problems. Those of the same status are one response. */
export function responsesOf(...kinds: readonly ProblemKind[]): Record<number, { $ref: string }> {
  return Object.fromEntries(
    byStatus(kinds).map(([status, alike]) => [status, { $ref: `#/components/responses/${nameOf(alike)}` }]),
  );
}

/** The Response Objects of all problems of the operation table, and of further operations. */
export function problemResponses(further: readonly (readonly ProblemKind[])[]): Record<string, unknown> {
  const all = [...(Object.keys(operations) as OperationId[]).map(problemsOf), ...further];
  return Object.fromEntries(all.flatMap(byStatus).map(([, alike]) => [nameOf(alike), problemResponse(alike)]));
}

function byStatus(kinds: readonly ProblemKind[]): [status: number, alike: ProblemKind[]][] {
  return [...Map.groupBy(kinds, (kind) => problemKinds[kind].status)];
}

function nameOf(kinds: readonly ProblemKind[]): string {
  return kinds.join('-or-');
}

function problemResponse(kinds: readonly ProblemKind[]): object {
  const own: object = Object.assign({}, ...kinds.map((kind) => headers[kind]));
  const examples = kinds.map((kind) => {
    const { status, title } = problemKinds[kind];
    return [kind, { value: { type: problemType(kind), title, status } }] as const;
  });
  return {
    description: kinds.map((kind) => `${problemKinds[kind].title}.`).join(' Or: '),
    ...(Object.keys(own).length > 0 && { headers: own }),
    content: {
      'application/problem+json': { schema: schemaReference(Problem), examples: Object.fromEntries(examples) },
    },
  };
}
