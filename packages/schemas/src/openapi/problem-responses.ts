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

type Kinds = readonly [ProblemKind, ...ProblemKind[]];

function byStatus(kinds: readonly ProblemKind[]): [status: number, alike: Kinds][] {
  const statuses = [...new Set(kinds.map((kind) => problemKinds[kind].status))];
  return statuses.map((status) => [
    status,
    kinds.filter((kind) => problemKinds[kind].status === status) as unknown as Kinds,
  ]);
}

function nameOf(kinds: Kinds): string {
  return kinds.join('-or-');
}

function problemResponse(kinds: Kinds): object {
  const examples = kinds.map((kind) => {
    const { status, title } = problemKinds[kind];
    return { type: problemType(kind), title, status };
  });
  const [example, ...others] = examples;
  const named = Object.fromEntries(kinds.map((kind, index) => [kind, { value: examples[index] }]));
  return {
    description: examples.map(({ title }) => `${title}.`).join(' Or: '),
    ...(headers[kinds[0]] && { headers: headers[kinds[0]] }),
    content: {
      'application/problem+json': {
        schema: schemaReference(Problem),
        ...(others.length === 0 ? { example } : { examples: named }),
      },
    },
  };
}
