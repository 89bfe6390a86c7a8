import { differencesOf } from './differences-of.ts';
import { bodyOf } from './drift/body-of.ts';
import type { Interaction, Pact } from './drift/pact.ts';
import type { InteractionResult, PactResults } from './pact-results.ts';
import type { Fault, VerificationResult, VerifiedInteraction } from './verification-result.ts';
import type { Visit } from './visit.ts';

export interface Judgement extends Pick<VerificationResult, 'interactions' | 'faults'> {
  /** What hooks of the test have thrown. */
  readonly errors: readonly unknown[];
}

/** Holds what the verifier says against what has passed, so that nothing holds that was not tried. */
export function judge(
  { interactions: results, faults }: PactResults,
  visits: readonly Visit[],
  pacts?: readonly Pact[],
): Judgement {
  const said = pacts?.flatMap(({ consumer, interactions }) => interactions.map((each) => ({ consumer, ...each })));
  return {
    interactions: results.map((result, index) => judgeOne(result, visits[index], said?.[index])),
    faults: [
      ...faults.map((sentence) => ({ place: 'pacts', sentence })),
      ...countFaults(results.length, visits, said?.length),
    ],
    errors: visits.flatMap(({ errors }) => errors),
  };
}

function judgeOne(
  { consumer, description, pending, states, failure }: InteractionResult,
  visit: Visit | undefined,
  said: (Interaction & { readonly consumer: string }) | undefined,
): VerifiedInteraction {
  // What could not be tried says nothing of the provider.
  const faults =
    visit && visit.faults.length > 0
      ? visit.faults
      : differencesOf(failure, visit?.answer, said && bodyOf(said.response, said));
  return {
    consumer: consumer ?? said?.consumer ?? 'unknown consumer',
    description,
    states: states ?? visit?.stateNames ?? [],
    pending,
    ok: faults.length === 0,
    faults,
  };
}

function countFaults(results: number, visits: readonly Visit[], expected: number | undefined): readonly Fault[] {
  const tried = visits.filter(({ isRequested }) => isRequested).length;
  const count = expected ?? results;
  if (count === 0) return [{ place: 'pacts', sentence: 'There is no pact to verify, so nothing is proved.' }];
  if (tried === count && results === count) return [];
  const sentence = `Only ${Math.min(tried, results)} of ${count} interactions were tried; are PACT_DESCRIPTION, PACT_PROVIDER_STATE or PACT_PROVIDER_NO_STATE set?`;
  return [{ place: 'pacts', sentence }];
}
