import { z } from 'zod';
import { faultsOf } from './faults-of.ts';
import type { Failure } from './pact-results.ts';
import { textFaults } from './text-faults.ts';
import type { Fault } from './verification-result.ts';

const ProblemModel = z.looseObject({
  title: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).catch([]),
});

/**
 * What differs between an answer and what the contract says of it, in a fixed order. An answer of another status is
 * another answer, so the status is all that is told of it, with the problem that the provider names.
 */
export function differencesOf(failure: Failure | undefined, answer: unknown, example: unknown): readonly Fault[] {
  const found = failure ? faultsOf(failure) : [];
  const ofStatus = found.filter(({ place }) => place === 'status');
  if (ofStatus.length > 0)
    return ofStatus.map(({ place, sentence }) => ({ place, sentence: sentence + problemOf(answer) }));
  const places = new Set(found.map(({ place }) => place));
  const ofText = textFaults(example, answer).filter(({ place }) => !places.has(place));
  return [...found, ...ofText].toSorted(byPlace);
}

/** A problem of the HR cloud names places, never values. */
function problemOf(answer: unknown): string {
  const { success, data } = ProblemModel.safeParse(answer);
  if (!success) return '';
  return ` Its problem: ${[data.title, ...data.errors.map(({ pointer, detail }) => `${pointer} ${detail}`)].join('; ')}.`;
}

/** Pact tells them in another order each time. */
function byPlace(one: Fault, other: Fault): number {
  return one.place < other.place ? -1 : Number(one.place > other.place);
}
