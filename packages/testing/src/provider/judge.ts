import { differencesOf } from './differences-of.ts';
import { bodyOf } from './drift/body-of.ts';
import type { Interaction, Pact } from '../contract/pact.ts';
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
  const general = [...faults.map((sentence) => ({ place: 'pacts', sentence })), ...tryFaults(results, visits, said)];
  // Results and pacts are put side by side by their order.
  const isBeside = said?.length === results.length;
  const interactions = results.map((result, index) =>
    judgeOne(result, visits[index], isBeside ? said[index] : undefined),
  );
  return {
    // A consumer cannot excuse a provider by its own file.
    interactions: said ? interactions.map((each) => ({ ...each, pending: false })) : interactions,
    faults: general,
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
      : differencesOf(failure, visit, said && bodyOf(said.response, said));
  return {
    consumer: consumer ?? said?.consumer ?? 'unknown consumer',
    description,
    states: states ?? visit?.stateNames ?? [],
    pending,
    ok: faults.length === 0,
    faults,
  };
}

/** What was to be tried, and was not. */
function tryFaults(
  results: readonly InteractionResult[],
  visits: readonly Visit[],
  said: readonly Interaction[] | undefined,
): readonly Fault[] {
  const place = 'pacts';
  const tried = Math.min(visits.filter(({ isRequested }) => isRequested).length, results.length);
  const count = said?.length ?? Math.max(visits.length, results.length);
  if (count === 0) return [{ place, sentence: 'There is no pact to verify, so nothing is proved.' }];
  if (tried !== count) {
    const remedy = 'are PACT_DESCRIPTION, PACT_PROVIDER_STATE or PACT_PROVIDER_NO_STATE set?';
    return [{ place, sentence: `Only ${tried} of ${count} interactions were tried; ${remedy}` }];
  }
  const isSame = said?.every(({ description }, index) => results[index]?.description === description) ?? true;
  return isSame ? [] : [{ place, sentence: 'The verifier has tried other interactions than the pacts have.' }];
}
