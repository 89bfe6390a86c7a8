import { operations, type Operation, type Operations } from './operations.ts';
import type { OperationId, PathParameters } from './operation-types.ts';
import type { ProblemKind } from './problem-kinds.ts';

/** The problems of each feature of an operation. */
const problems = {
  always: ['invalid-request', 'unauthorized', 'forbidden', 'not-acceptable', 'request-timeout'],
  path: ['not-found'],
  body: ['precondition-failed', 'content-too-large', 'unsupported-media-type'],
  delta: ['changes-expired'],
  cursor: ['cursor-expired'],
  timeComponent: ['time-component-version'],
  conflict: ['conflict'],
  idempotencyKey: ['idempotency-key-in-flight', 'idempotency-key-reused'],
  load: ['too-many-requests', 'headers-too-large', 'internal-error', 'unavailable'],
} as const satisfies Record<string, readonly ProblemKind[]>;

/** The kinds of problems of an operation with a body. */
export const problemsOfBodies: readonly ProblemKind[] = problems.body;

type Part = keyof typeof problems;

type PartsOf<Id extends OperationId> =
  | 'always'
  | 'load'
  | (PathParameters<Id> extends Record<string, never> ? never : 'path')
  | Extract<keyof Operations[Id], 'body' | 'delta' | 'cursor' | 'timeComponent' | 'conflict' | 'idempotencyKey'>;

/** The kinds of problems that an operation may respond with. */
export type ProblemOf<Id extends OperationId> = (typeof problems)[PartsOf<Id>][number];

/**
 * Returns the kinds of problems that an operation may respond with.
 *
 * @example
 * problemsOf('listAbsences').includes('time-component-version'); // true
 */
export function problemsOf<Id extends OperationId>(id: Id): readonly ProblemOf<Id>[] {
  return problemsOfFeatures(operations[id]) as readonly ProblemOf<Id>[];
}

/** The kinds of problems that follow from the features of an operation. */
export function problemsOfFeatures({
  pathParameters,
  body,
  delta,
  cursor,
  timeComponent,
  conflict,
  idempotencyKey,
}: Pick<
  Operation,
  'pathParameters' | 'body' | 'delta' | 'cursor' | 'timeComponent' | 'conflict' | 'idempotencyKey'
>): readonly ProblemKind[] {
  const has: Record<Part, boolean> = {
    always: true,
    path: Object.keys(pathParameters.shape).length > 0,
    body: body !== undefined,
    delta: delta !== undefined,
    cursor: cursor === true,
    timeComponent: timeComponent === true,
    conflict: conflict === true,
    idempotencyKey: idempotencyKey === true,
    load: true,
  };
  return (Object.keys(problems) as Part[]).flatMap((part): readonly ProblemKind[] => (has[part] ? problems[part] : []));
}
