import { z } from 'zod';
import { parsePact } from '../../contract/pact.ts';
import type { Pact } from '../../contract/pact.ts';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import type { VerificationResult } from '../verification-result.ts';
import { askBroker, filled, Link, linkedBy } from './broker.ts';
import type { BrokerSource } from './broker.ts';

/** No contract of this kit is older, so none is left out as old work in progress. */
const WIP_SINCE = '2026-01-01';

interface BrokerPact extends Pact {
  /** New, and never passed. */
  readonly pending: boolean;
  readonly links: z.output<typeof BrokerPactModel>['_links'];
}

const List = z.looseObject({
  _embedded: z.looseObject({
    pacts: z.array(
      z.looseObject({
        verificationProperties: z.looseObject({ pending: z.boolean().optional() }).optional(),
        _links: z.looseObject({ self: Link }),
      }),
    ),
  }),
});

const BrokerPactModel = z.looseObject({
  _links: z.looseObject({ 'pb:provider': Link, 'pb:publish-verification-results': Link }),
});

/**
 * The pacts that the broker wants verified: those of the consumers' main branches, of their branch of the provider's name,
 * and of all that is deployed or released. New ones are pending.
 */
export async function pactsOfBroker(broker: BrokerSource): Promise<readonly BrokerPact[]> {
  const { url, branch } = broker;
  const index = await askBroker(broker, { url, model: linkedBy('pb:provider-pacts-for-verification') });
  const { _embedded } = await askBroker(broker, {
    url: filled(index._links['pb:provider-pacts-for-verification'], { provider: PROVIDER_NAME }),
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
  if (_embedded.pacts.length === 0)
    throw new HrTestingError('invalid-pact', `${url} has no pact with ${PROVIDER_NAME} to verify. Publish one first.`);
  return Promise.all(
    _embedded.pacts.map(async ({ verificationProperties, _links: { self } }) => {
      const { text, _links: links } = await askBroker(broker, { url: self.href, model: BrokerPactModel });
      return { ...parsePact(text, self.href), pending: verificationProperties?.pending === true, links };
    }),
  );
}

/** Publishes a result for each pact: what the broker says passed is what passed here. */
export async function publishResults(
  broker: BrokerSource,
  pacts: readonly BrokerPact[],
  { interactions }: VerificationResult,
): Promise<void> {
  const { branch, publish: { version = '' } = {} } = broker;
  for (const { source, interactions: own, links } of pacts) {
    // oxlint-disable no-await-in-loop -- in the order of the pacts; the branch comes before the first result
    if (branch !== undefined && source === pacts[0]?.source) {
      const provider = await askBroker(broker, {
        url: links['pb:provider'].href,
        model: linkedBy('pb:branch-version'),
      });
      const url = filled(provider._links['pb:branch-version'], { branch, version });
      await askBroker(broker, { url, model: z.unknown(), method: 'PUT', body: {} });
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
    const { href: url } = links['pb:publish-verification-results'];
    await askBroker(broker, { url, model: z.unknown(), method: 'POST', body });
    // oxlint-enable no-await-in-loop
  }
}
