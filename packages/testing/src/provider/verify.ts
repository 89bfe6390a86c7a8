import { HrTestingError } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import type { Pact } from '../contract/pact.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { isReachable } from './is-reachable.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import { readPactResults } from './pact-results.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import type { Run } from './run.ts';
import { startVerificationProxy } from './start-verification-proxy.ts';
import { textReport } from './text-report.ts';
import { VerificationFailedError } from './verification-failed-error.ts';
import type { VerificationResult } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';
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

async function tryAll(options: VerifyOptions, run: Run): Promise<Judgement> {
  const { source, provider } = options;
  const url = httpUrl(provider.url);
  if (!url)
    throw new HrTestingError('invalid-option', 'provider.url is not the address of a provider: write http(s)://…');
  checkSource(source);
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

/** JavaScript lets anything come here. */
function checkSource(source: unknown): void {
  const isSource =
    typeof source === 'object' && source !== null && ['files', 'folders', 'broker'].some((name) => name in source);
  if (!isSource) throw new HrTestingError('invalid-option', 'source says no pacts: give files, folders, or a broker.');
}

function nothingTried(place: string, sentence: string, error?: unknown): Judgement {
  return { interactions: [], faults: [{ place, sentence }], errors: error === undefined ? [] : [error] };
}
