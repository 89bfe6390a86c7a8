import { z } from 'zod';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { askBroker, filled, Link, linkedBy } from './broker.ts';
import type { Broker } from './broker.ts';

/** The pacts of consumers, for a broker. */
export interface Publication {
  readonly broker: Broker;
  /** Files, and folders of them. */
  readonly pacts: readonly string[];
  /** The consumers' version, such as the commit. The pacts of a version never change. */
  readonly version: string;
  /** The branch that the version is built from. */
  readonly branch: string;
}

interface BrokerRelease {
  readonly broker: Broker;
  readonly participant: string;
  readonly version: string;
  readonly environment: string;
}

const Participant = z
  .looseObject({ name: z.string(), version: z.looseObject({ number: z.string().nullish() }).nullish() })
  .transform(({ name, version }) => (version?.number ? `${name} ${version.number}` : name));

const Matrix = z.looseObject({
  summary: z.looseObject({ deployable: z.boolean().nullable(), reason: z.string() }),
  matrix: z.array(
    z.looseObject({
      consumer: Participant,
      provider: Participant,
      verificationResult: z.looseObject({ success: z.boolean().nullish() }).nullish(),
    }),
  ),
});

/**
 * Publishes pacts to a broker.
 *
 * @throws {HrTestingError} `broker-failed`, `invalid-pact`.
 * @example
 * await publishPacts({ broker, pacts: ['pacts'], version: commit, branch: 'main' });
 */
export async function publishPacts({ broker, pacts, version, branch }: Publication): Promise<void> {
  const all = await readPacts(pacts);
  const index = await askBroker(broker, { url: broker.url, model: linkedBy('pb:publish-contracts') });
  const { href: url } = index._links['pb:publish-contracts'];
  for (const [consumer, own = []] of Object.entries(Object.groupBy(all, (pact) => pact.consumer))) {
    const contracts = own.map(({ text }) => ({
      consumerName: consumer,
      providerName: PROVIDER_NAME,
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(text).toString('base64'),
    }));
    const body = { pacticipantName: consumer, pacticipantVersionNumber: version, branch, contracts };
    // oxlint-disable-next-line no-await-in-loop -- in order, so that an error names the first that fails
    await askBroker(broker, { url, model: z.object(), method: 'POST', body });
  }
}

/** @throws {HrTestingError} `not-deployable` unless the broker says yes. */
export async function canIDeployByBroker({ broker, participant, version, environment }: BrokerRelease): Promise<void> {
  const query = new URLSearchParams({
    'q[][pacticipant]': participant,
    'q[][version]': version,
    latestby: 'cvpv',
    environment,
  }).toString();
  const { summary, matrix } = await askBroker(broker, { url: `${broker.url}/matrix?${query}`, model: Matrix });
  if (summary.deployable === true) return;
  const rows = matrix.map(({ consumer, provider, verificationResult }) => {
    const outcome = { true: 'passed', false: 'failed', undefined: 'was not verified with' };
    return `\n- ${provider} ${outcome[`${verificationResult?.success ?? undefined}`]} the pact of ${consumer}.`;
  });
  const message = `${participant} ${version} must not be deployed to ${environment}: ${summary.reason}`;
  throw new HrTestingError('not-deployable', message + rows.join(''));
}

const Version = z.looseObject({
  _links: z.looseObject({ 'pb:record-deployment': z.array(Link.extend({ name: z.string() })) }),
});

export async function recordDeploymentAtBroker({
  broker,
  participant,
  version,
  environment,
}: BrokerRelease): Promise<void> {
  const index = await askBroker(broker, { url: broker.url, model: linkedBy('pb:pacticipant-version') });
  const url = filled(index._links['pb:pacticipant-version'], { pacticipant: participant, version });
  const { 'pb:record-deployment': environments } = (await askBroker(broker, { url, model: Version }))._links;
  const found = environments.find(({ name }) => name === environment);
  if (found) {
    await askBroker(broker, { url: found.href, model: z.object(), method: 'POST', body: {} });
    return;
  }
  const known = environments.map(({ name }) => name).join(', ') || 'none';
  throw new HrTestingError('broker-failed', `The broker has no environment ${environment}. Use one of: ${known}.`);
}
