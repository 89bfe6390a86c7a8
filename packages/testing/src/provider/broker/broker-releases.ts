import { z } from 'zod';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { askBroker, linkedBy } from './broker.ts';
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

/** A version of a participant, and where it is deployed. */
export interface Deployment {
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  /** What is deployed, such as the commit or a version number; the same as when it was verified. */
  readonly version: string;
  readonly environment: string;
}

type BrokerRelease = Deployment & { readonly broker: Broker };

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
  const { data: url } = await askBroker(broker, broker.url, { model: linkedBy('pb:publish-contracts') });
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
    await askBroker(broker, url, { model: z.object(), method: 'POST', body });
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
  const { data } = await askBroker(broker, `${broker.url}/matrix?${query}`, { model: Matrix });
  const { summary, matrix } = data;
  if (summary.deployable === true) return;
  const rows = matrix.map(({ consumer, provider, verificationResult }) => {
    const outcome = { true: 'passed', false: 'failed', undefined: 'was not verified with' };
    return `\n- ${provider} ${outcome[`${verificationResult?.success ?? undefined}`]} the pact of ${consumer}.`;
  });
  const message = `${participant} ${version} must not be deployed to ${environment}: ${summary.reason}`;
  throw new HrTestingError('not-deployable', message + rows.join(''));
}

const Version = z
  .looseObject({
    _links: z.looseObject({ 'pb:record-deployment': z.array(z.looseObject({ name: z.string(), href: z.url() })) }),
  })
  .transform(({ _links: links }) => links['pb:record-deployment']);

export async function recordDeploymentAtBroker(release: BrokerRelease): Promise<void> {
  const { broker, participant, version, environment } = release;
  const model = linkedBy('pb:pacticipant-version', { pacticipant: participant, version });
  const { data: url } = await askBroker(broker, broker.url, { model });
  const { data: environments } = await askBroker(broker, url, { model: Version });
  const found = environments.find(({ name }) => name === environment);
  const known = environments.map(({ name }) => name).join(', ') || 'none';
  if (!found)
    throw new HrTestingError('broker-failed', `The broker has no environment ${environment}. Use one of: ${known}.`);
  await askBroker(broker, found.href, { model: z.object(), method: 'POST', body: {} });
}
