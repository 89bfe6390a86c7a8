import { once } from 'node:events';
import { connect } from 'node:net';
import { targetOf } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { readPacts } from '../contract/read-pacts.ts';
import { checkNames } from '../fixtures/options.ts';
import { HrTestingError, invalidOption } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import { brokerFault, pactsOfBroker, publishResults, type Broker } from './broker.ts';
import { recordVerification, type VerificationRecord } from './deployment-records.ts';
import { responseFaults } from './response-faults.ts';
import { runInteractions } from './run-interactions.ts';
import { VerificationFailedError, type VerificationResult } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';

const MAX_CONNECT_MS = 5_000;

interface Source {
  readonly broker?: Broker;
  readonly pacts?: readonly string[];
  readonly record?: VerificationRecord;
}

/**
 * Verifies a provider, the service or the fake, against the pacts of its consumers, with Pact's own core. It throws
 * unless every interaction passes.
 *
 * Anything that could not run is a failure: a state that is unknown, has no handler or whose handler throws; a missing
 * token; a path without a pact; a late or incomplete response.
 *
 * @throws {VerificationFailedError} the message is the report.
 * @throws {HrTestingError} `invalid-pact`, `invalid-option`, `missing-package`, `broker-failed`, and
 * `verification-failed` if nothing could run.
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
  const { url, broker, paths, record } = checkOptions(options);
  const fromBroker = broker ? await pactsOfBroker(broker) : [];
  const pacts = broker ? fromBroker : await readPacts(paths);
  await checkReachable(url);

  const runs = await runInteractions(options, pacts);
  const atBroker = new Map(fromBroker.map((pact) => [pact.source, pact]));
  const interactions = runs.map(({ pact, interaction, faults: untried, outcome, response, readBack = [] }) => {
    const faults = untried.length > 0 ? untried : [...responseFaults(interaction, outcome, response), ...readBack];
    return {
      consumer: pact.consumer,
      contact: pact.contact,
      pact: pact.source,
      description: interaction.description,
      request: `${interaction.request.method} ${targetOf(interaction.request)}`,
      states: interaction.providerStates?.map(({ name }) => name) ?? [],
      pending: atBroker.get(pact.source)?.pending === true,
      ok: faults.length === 0,
      faults,
    };
  });
  const verified = pacts.map(({ source: pact, consumer, hash }) => {
    const ok = interactions.every((each) => each.ok || each.pact !== pact);
    return { pact, consumer, hash, ok, notices: atBroker.get(pact)?.noticesFor(ok) };
  });
  const ok = interactions.every((each) => each.ok || each.pending);
  const result = { ok, provider: PROVIDER_NAME, pacts: verified, interactions };
  if (broker?.publish) await publishResults(broker, fromBroker, result);
  if (record) await recordVerification(record, verified);
  if (!ok) throw new VerificationFailedError(result);
  return result;
}

/** Checks what the types of JavaScript callers do not. */
function checkOptions(options: VerifyOptions) {
  checkNames('verifyProvider', options, [
    'provider',
    'source',
    'states',
    'reset',
    'tearDown',
    'approvePayments',
    'token',
    'tokenWithoutScope',
  ] satisfies (keyof VerifyOptions)[]);
  const { provider, source, states } = options as Partial<VerifyOptions>;
  const { broker, pacts: paths = [], record } = (source ?? {}) as Source;
  if (source && typeof source === 'object') checkNames('source', source, ['pacts', 'record', 'broker']);
  if (record) checkNames('record', record, ['file', 'version']);
  const url = httpUrl(provider?.url ?? '');
  const handlers = Object.entries(states ?? {});
  const [noFunction] = handlers.find(([, handler]) => handler !== undefined && typeof handler !== 'function') ?? [];
  const faults = [
    url ? '' : 'The URL of the provider is not an http(s) URL. Correct it.',
    Array.isArray(paths) ? '' : '"pacts" is not a list. Pass a list of files and folders.',
    (broker && brokerFault(broker)) ?? '',
    states ? '' : '"states" is missing. Pass the handlers of the provider states.',
    noFunction === undefined ? '' : `The handler of the state "${noFunction}" is not a function. Pass one.`,
  ];
  const fault = faults.find((each) => each !== '');
  if (!url || fault !== undefined) throw invalidOption(fault ?? '');
  return { url, broker, paths, record };
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
