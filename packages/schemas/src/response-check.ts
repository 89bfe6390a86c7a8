import { z } from 'zod';
import { issuesOf, valueAt } from './issues.ts';
import type { Issue } from './issues.ts';
import { operations } from './operations.ts';
import type { OperationId } from './operations.ts';
import { lenient } from './lenient.ts';

/**
 * What is wrong with an answer, or with one element of an answered list.
 *
 * @sealed
 */
export interface ResponseFault extends Issue {
  /** Whether a program cannot use the value: a type is wrong, or there is no id. Other faults are a broken bound or a missing field. */
  readonly unusable: boolean;
}

/** Says what is wrong with an answer; nothing where all is right. */
export type ResponseCheck = (value: unknown) => readonly ResponseFault[];

const sound: readonly ResponseFault[] = [];

/**
 * The check of what an operation answers (of one element, where it answers a list), as a tolerant reader makes it.
 *
 * @example
 * const faults = responseCheck('listPersons')({ id: '1', jobTitle: 'x'.repeat(401) });
 * // [{ pointer: '/jobTitle', code: 'too-long', unusable: false, … }]
 */
export function responseCheck(operation: OperationId): ResponseCheck {
  return (checks[operation] ??= makeCheck(operations[operation].response));
}

const checks: { [Id in OperationId]?: ResponseCheck } = {};

function makeCheck(answer: z.ZodType): ResponseCheck {
  const model = lenient(answer);
  // A page's content security policy may forbid `new Function`, and each attempt is an error on its console.
  const schema = z.core.util.allowsEval.value ? z.compile(model) : model;
  return (value) => {
    const { error } = schema.safeParse(value);
    if (!error) return sound;
    return error.issues.flatMap((found) => {
      // Null is as good as missing, and what is missing a program can do without, unless it is the id or everything.
      const isMissing = typeof found.path.at(-1) === 'string' && (valueAt(value, found.path) ?? null) === null;
      const isVital = found.path.length === 0 || (found.path.length === 1 && found.path[0] === 'id');
      return issuesOf({ issues: [found] }, value).map((issue) => ({
        ...issue,
        unusable: isVital || (issue.code === 'wrong-type' && !isMissing),
      }));
    });
  };
}
