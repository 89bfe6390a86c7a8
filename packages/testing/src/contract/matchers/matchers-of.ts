import { jsonPointer } from '@hr/schemas';
import type { z } from 'zod';
import { HrTestingError } from '../../hr-testing-error.ts';
import { exampleFaults } from './example-faults.ts';
import { matcherOf } from './matcher-of.ts';
import type { MatcherContent } from './matcher-of.ts';
import type { LostRule } from './not-expressed.ts';

/** What Pact holds of a model, and what it does not. */
export interface Matchers {
  /** Integration JSON, as `jsonBody` of Pact takes it. */
  readonly content: MatcherContent;
  readonly notExpressed: readonly LostRule[];
}

/**
 * The rules that a model has for the keys of an example: on these a consumer relies, and on nothing else. What is in the
 * example has to be in every answer, and each part of it is held as strictly as Pact can tell. The one element of a list
 * says what every element is like, and there has to be one; `[]` says that there is none. Of several, each says what the
 * one at its place is like, and there are no others; a list in a list cannot have several.
 *
 * @throws {HrTestingError} `invalid-option` when the example breaks a rule of the model; the message names the place.
 * @example
 * const { notExpressed } = matchersOf(z.array(Absence), [{ id: '1', startDate: '2026-01-31' }]);
 * // [{ pointer: '', rule: 'may be empty' }, { pointer: '/0/id', rule: 'at least 1 characters' }, …]
 */
export function matchersOf(model: z.ZodType, example: unknown): Matchers {
  const faults = exampleFaults(model, example).map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`);
  if (faults.length > 0) {
    throw new HrTestingError('invalid-option', `The example is nothing that the API answers: ${faults.join('; ')}.`);
  }
  const notExpressed: LostRule[] = [];
  const content = matcherOf(model, example, [], (path, rule) => {
    notExpressed.push({ pointer: jsonPointer(path), rule });
  });
  return { content, notExpressed };
}
