import { z } from 'zod';
import { exampleTokens } from '../contract/example-tokens.ts';
import { faultsOf } from './faults-of.ts';
import type { Failure } from './pact-results.ts';
import { textFaults } from './text-faults.ts';
import type { Fault } from './verification-result.ts';
import type { Visit } from './visit.ts';

/** Such a token stands in the file, and has ended long before. */
const OWN_TOKEN = ` The contract sends a token of its own: write "${exampleTokens.valid}", in place of which the option token puts a real one.`;

const ProblemModel = z.looseObject({
  title: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).catch([]),
});

/**
 * What differs between an answer and what the contract says of it, in a fixed order. An answer of another status is
 * another answer, so the status is all that is told of it, with the problem that the provider names.
 */
export function differencesOf(
  failure: Failure | undefined,
  visit: Visit | undefined,
  example: unknown,
): readonly Fault[] {
  const answer = visit?.answer;
  const found = failure ? faultsOf(failure) : [];
  const ofStatus = found.filter(({ place }) => place === 'status');
  if (ofStatus.length > 0)
    return ofStatus.map(({ place, sentence }) => ({
      place,
      sentence: sentence + problemOf(answer) + (visit?.isOwnTokenRefused ? OWN_TOKEN : ''),
    }));
  const places = new Set(found.map(({ place }) => place));
  const ofText = textFaults(example, answer).filter(({ place }) => !places.has(place));
  return unlike([...found, ...ofText]).toSorted(byPlace);
}

/** Several rules of one place say the same. */
function unlike(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
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
