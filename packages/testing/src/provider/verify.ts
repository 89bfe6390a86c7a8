import { HrTestingError } from '../hr-testing-error.ts';
import { bodyOf } from './drift/body-of.ts';
import type { Interaction, Pact } from './drift/pact.ts';
import { readPacts } from './drift/read-pacts.ts';
import { faultsOf } from './faults-of.ts';
import { isReachable } from './is-reachable.ts';
import type { InteractionResult, PactResults } from './pact-results.ts';
import { readPactResults } from './pact-results.ts';
import { PROVIDER_NAME } from './provider-name.ts';
import type { Run } from './run.ts';
import { startVerificationProxy } from './start-verification-proxy.ts';
import { textFaults } from './text-faults.ts';
import { textReport } from './text-report.ts';
import { VerificationFailedError } from './verification-failed-error.ts';
import type { Fault, VerificationResult, VerifiedInteraction } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';
import type { Visit } from './visit.ts';
import { writeReports } from './write-reports.ts';

/** Verifies by a verifier, reports, and throws where something does not hold. */
export async function verify(options: VerifyOptions, run: Run): Promise<VerificationResult> {
  const { interactions, faults, errors } = await tryAll(options, run);
  const ok = faults.length === 0 && interactions.every((each) => each.ok || each.pending);
  const result = { ok, provider: PROVIDER_NAME, interactions, faults };
  if (options.report) await writeReports(options.report.dir, result);
  if (!ok) throw new VerificationFailedError(textReport(result), result, { cause: errors[0] });
  return result;
}

interface Tried extends Pick<VerificationResult, 'interactions' | 'faults'> {
  /** What hooks of the test have thrown. */
  readonly errors: readonly unknown[];
}

async function tryAll(options: VerifyOptions, run: Run): Promise<Tried> {
  const { source, provider } = options;
  const url = URL.parse(provider.url);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new HrTestingError('invalid-option', 'provider.url is not the address of a provider: write http(s)://…');
  let pacts: readonly Pact[] | undefined;
  try {
    pacts = 'broker' in source ? undefined : await readPacts(source);
  } catch (error) {
    if (error instanceof HrTestingError) return nothingTried('pacts', error.message, error);
    throw error;
  }
  if (!(await isReachable(url))) return nothingTried('provider', `Nobody listens at ${url.origin}; is it started?`);

  const proxy = await startVerificationProxy(options);
  try {
    const files = pacts?.map(({ file }) => file) ?? [];
    const said = await run({ proxy, files, broker: 'broker' in source ? source.broker : undefined });
    return judge(readPactResults(said), proxy.visits, pacts);
  } finally {
    await proxy.stop();
  }
}

function nothingTried(place: string, sentence: string, error?: unknown): Tried {
  return { interactions: [], faults: [{ place, sentence }], errors: error === undefined ? [] : [error] };
}

/** Holds what the verifier says against what has passed, so that nothing holds that was not tried. */
function judge(
  { interactions: results, faults }: PactResults,
  visits: readonly Visit[],
  pacts?: readonly Pact[],
): Tried {
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
  const found = failure ? faultsOf(failure) : [];
  const places = new Set(found.map(({ place }) => place));
  const ofText = said ? textFaults(bodyOf(said.response, said), visit?.answer) : [];
  const own = visit?.faults ?? [];
  // What could not be tried says nothing of the provider.
  const differences = [...found, ...ofText.filter(({ place }) => !places.has(place))];
  const faults = own.length > 0 ? own : differences.toSorted(byPlace);
  return {
    consumer: consumer ?? said?.consumer ?? 'unknown consumer',
    description,
    states: states ?? visit?.stateNames ?? [],
    pending,
    ok: faults.length === 0,
    faults,
  };
}

/** Pact tells them in another order each time. */
function byPlace(one: Fault, other: Fault): number {
  return one.place < other.place ? -1 : Number(one.place > other.place);
}

function countFaults(results: number, visits: readonly Visit[], expected: number | undefined): readonly Fault[] {
  const tried = visits.filter(({ isRequested }) => isRequested).length;
  const count = expected ?? results;
  if (count === 0) return [{ place: 'pacts', sentence: 'There is no pact to verify, so nothing is proved.' }];
  if (tried === count && results === count) return [];
  const sentence = `Only ${Math.min(tried, results)} of ${count} interactions were tried; are PACT_DESCRIPTION, PACT_PROVIDER_STATE or PACT_PROVIDER_NO_STATE set?`;
  return [{ place: 'pacts', sentence }];
}
