import { z } from 'zod';
import { parsePact, type Pact } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import type { VerificationResult } from './verification-result.ts';
import { askBroker, Href, linkedBy, type BrokerSource } from './broker.ts';

/** Contracts of this kit are newer, so the broker omits none as old work in progress. */
const WIP_SINCE = '2026-01-01';

const Listed = z
  .looseObject({
    verificationProperties: z.looseObject({ pending: z.boolean().optional() }).optional(),
    _links: z.looseObject({ self: Href }),
  })
  .transform(
    ({ verificationProperties, _links: { self } }) => [self, verificationProperties?.pending === true] as const,
  );

const List = z
  .looseObject({ _embedded: z.looseObject({ pacts: z.array(Listed) }) })
  .transform(({ _embedded: { pacts } }) => pacts);

const Links = z
  .looseObject({ _links: z.looseObject({ 'pb:provider': Href, 'pb:publish-verification-results': Href }) })
  .transform(({ _links: links }) => links);

interface BrokerPact extends Pact {
  /** Whether it is new and has never passed. */
  readonly pending: boolean;
  readonly links: z.output<typeof Links>;
}

/**
 * The pacts to verify, by the broker: of the consumers' main branches, of consumer branches with the provider branch's
 * name, and of all deployed or released versions. New pacts are pending.
 */
export async function pactsOfBroker(broker: BrokerSource): Promise<readonly BrokerPact[]> {
  const { url, branch } = broker;
  const index = linkedBy('pb:provider-pacts-for-verification', { provider: PROVIDER_NAME });
  const { data: list } = await askBroker(broker, (await askBroker(broker, url, { model: index })).data, {
    model: List,
    method: 'POST',
    body: {
      consumerVersionSelectors: [
        { mainBranch: true },
        ...(branch === undefined ? [] : [{ matchingBranch: true }]),
        { deployedOrReleased: true },
      ],
      includePendingStatus: true,
      includeWipPactsSince: WIP_SINCE,
      providerVersionBranch: branch,
    },
  });
  if (list.length === 0)
    throw new HrTestingError('invalid-pact', `${url} has no pact with ${PROVIDER_NAME} to verify. Publish one first.`);
  return Promise.all(
    list.map(async ([source, pending]) => {
      const { data: links, text } = await askBroker(broker, source, { model: Links });
      return { ...parsePact(text, source), pending, links };
    }),
  );
}

/** Publishes a result for each pact. */
export async function publishResults(
  broker: BrokerSource,
  pacts: readonly BrokerPact[],
  { interactions }: VerificationResult,
): Promise<void> {
  const { branch, publish: { version = '' } = {} } = broker;
  // oxlint-disable no-await-in-loop -- in the order of the pacts; the branch comes before the first result
  for (const [position, { source, interactions: own, links }] of pacts.entries()) {
    if (branch !== undefined && position === 0) {
      const model = linkedBy('pb:branch-version', { branch, version });
      const { data: url } = await askBroker(broker, links['pb:provider'], { model });
      await askBroker(broker, url, { model: z.object(), method: 'PUT', body: {} });
    }
    const verified = interactions.filter(({ pact }) => pact === source);
    const body = {
      providerApplicationVersion: version,
      success: verified.every(({ ok }) => ok),
      testResults: verified.map(({ ok, faults }, index) => ({
        interactionId: own[index]?.['_id'],
        success: ok,
        mismatches: faults.map(({ place, message }) => ({ attribute: place, description: message })),
      })),
      verifiedBy: { implementation: '@hr/testing' },
    };
    await askBroker(broker, links['pb:publish-verification-results'], { model: z.object(), method: 'POST', body });
  }
  // oxlint-enable no-await-in-loop
}
