import { z } from 'zod';
import { issuesOf } from './issues.ts';
import type { Issue } from './issues.ts';
import { lenient, unbounded } from './lenient.ts';
import { operations } from './operations.ts';
import type { Operation, OperationId } from './operations.ts';

/**
 * A fault of a response, or of one element of a list.
 *
 * @sealed
 */
export interface ResponseFault extends Issue {
  /**
   * Whether the value has the wrong type: a type is wrong, or a required field is missing or `null`. Other faults are
   * broken bounds.
   */
  readonly unusable: boolean;
}

/** Returns the faults of a value, none if it is valid. */
export type ResponseCheck = (value: unknown) => readonly ResponseFault[];

const none: readonly ResponseFault[] = [];
const checks = new Map<z.ZodType, ResponseCheck>();

/**
 * Creates the check of an operation's response, or of one element of its list. It is tolerant (see {@link lenient}),
 * and does not check bounds that the specification does not state.
 *
 * @param options.changes - Whether the list has changes instead of full elements, as with `changedSince`.
 * @example
 * const faults = responseCheck('listPersons')({ id: '1', jobTitle: 'x'.repeat(401) });
 * // [{ pointer: '/jobTitle', code: 'too-long', unusable: false, … }]
 */
export function responseCheck(id: OperationId, { changes = false } = {}): ResponseCheck {
  if (!Object.hasOwn(operations, id)) throw new RangeError('responseCheck: unknown operation. See operations.');
  const { response, delta }: Operation = operations[id];
  const model = (changes && delta) || response;
  let check = checks.get(model);
  if (!check) checks.set(model, (check = checkOf(model)));
  return check;
}

function checkOf(model: z.ZodType): ResponseCheck {
  const reader = lenient(model);
  // A content security policy may forbid `new Function`, and the browser reports each use.
  const schema = z.core.util.allowsEval.value ? z.compile(reader) : reader;
  let types: z.ZodType | undefined;
  return (value) => {
    const { error } = schema.safeParse(value);
    if (!error) return none;
    const wrong = (types ??= unbounded(model)).safeParse(value).error;
    const unusable = new Set(wrong && issuesOf(wrong, value).map(({ pointer }) => pointer));
    return issuesOf(error, value).map((issue) => ({ ...issue, unusable: unusable.has(issue.pointer) }));
  };
}
