import { once } from 'node:events';
import { connect } from 'node:net';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import type { BrokerSource } from './broker.ts';
import { pactsOfBroker, publishResults } from './broker-verification.ts';
import { responseFaults } from './response-faults.ts';
import { runInteractions } from './run-interactions.ts';
import { VerificationFailedError } from './verification-result.ts';
import type { VerificationResult } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';

const MAX_CONNECT_MS = 5_000;

interface Source {
  readonly broker?: BrokerSource;
  readonly pacts?: readonly string[];
}

/**
 * Verifies a provider, the service or the fake, against the pacts of its consumers, by Pact's own core. A test needs no
 * further line: it throws unless every interaction passes.
 *
 * What was not tried does not pass: a state that is unknown, has no handler or whose handler throws, a token source that
 * gives nothing, a file or folder without a pact, a response that is late or incomplete.
 *
 * @throws {VerificationFailedError} the message is the report.
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`, `missing-package`, `broker-failed`, and
 * `verification-failed` when nothing could be tried.
 * @example
 * await verifyProvider({
 *   provider: { url: fake.url },
 *   source: { pacts: ['pacts'] },
 *   states: scenarioStates((scenario) => fake.load(scenario)),
 *   reset: () => fake.reset(),
 *   token: () => 'contract-token',
 * });
 */
export async function verifyProvider(options: VerifyOptions): Promise<VerificationResult> {
  const url = httpUrl(options.provider.url);
  if (!url)
    throw new HrTestingError('invalid-option', 'The URL of the provider is no address. Write it as http(s)://….');
  const { broker, pacts: paths = [] } = (options.source ?? {}) as Source;
  const fromBroker = broker ? await pactsOfBroker(broker) : [];
  const pacts = broker ? fromBroker : await readPacts(paths);
  await checkReachable(url);

  const runs = await runInteractions(options, pacts);
  const pending = new Set(fromBroker.flatMap((pact) => (pact.pending ? pact.source : [])));
  const interactions = runs.map(({ pact, interaction, faults: untried, outcome, response }) => {
    const faults = untried.length > 0 ? untried : responseFaults(interaction, outcome, response);
    return {
      consumer: pact.consumer,
      pact: pact.source,
      description: interaction.description,
      states: interaction.providerStates?.map(({ name }) => name) ?? [],
      pending: pending.has(pact.source),
      ok: faults.length === 0,
      faults,
    };
  });
  const verified = pacts.map(({ source: pact, consumer, hash }) => {
    const ok = interactions.every((each) => each.ok || each.pact !== pact);
    return { pact, consumer, hash, ok };
  });
  const ok = interactions.every((each) => each.ok || each.pending);
  const result = { ok, provider: PROVIDER_NAME, pacts: verified, interactions };
  if (broker?.publish) await publishResults(broker, fromBroker, result);
  if (!ok) throw new VerificationFailedError(result, { cause: runs.flatMap(({ errors }) => errors)[0] });
  return result;
}

async function checkReachable({ origin, hostname, port, protocol }: URL): Promise<void> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  const connected = once(socket, 'connect', { signal: AbortSignal.timeout(MAX_CONNECT_MS) });
  await connected
    .catch((error: unknown) => {
      const message = `No server listens at ${origin}. Start the provider, or correct its URL.`;
      throw new HrTestingError('verification-failed', message, { cause: error });
    })
    .finally(() => void socket.destroy());
}
