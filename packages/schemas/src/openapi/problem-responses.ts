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

/** The entry of a Responses Object for a kind of problem. */
export function responseOf(kind: ProblemKind): Record<number, { $ref: string }> {
  return { [problemKinds[kind].status]: { $ref: `#/components/responses/${kind}` } };
}

/** The Response Objects of all problems of the operation table, and of further kinds. */
export function problemResponses(further: readonly ProblemKind[]): Record<string, unknown> {
  const kinds = new Set([...(Object.keys(operations) as OperationId[]).flatMap(problemsOf), ...further]);
  return Object.fromEntries([...kinds].map((kind) => [kind, problemResponse(kind)]));
}

function problemResponse(kind: ProblemKind): object {
  const { status, title } = problemKinds[kind];
  return {
    description: `${title}.`,
    ...(headers[kind] && { headers: headers[kind] }),
    content: {
      'application/problem+json': {
        schema: schemaReference(Problem),
        example: { type: problemType(kind), title, status },
      },
    },
  };
}
