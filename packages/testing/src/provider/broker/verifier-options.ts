import type { BrokerSource } from '../broker-source.ts';

/** No contract of this kit is older, so that none is left out as work in progress of old. */
const WIP_SINCE = '2026-01-01';

/**
 * The options of Pact's verifier for the pacts of a broker: those of the consumers' main branches, of their branch of the
 * provider's name, and of all that is deployed or released anywhere. New ones are pending: they fail nothing until they held once.
 */
export function verifierOptionsOf({ url, token, branch, publish }: BrokerSource) {
  return {
    pactBrokerUrl: url,
    ...(token !== undefined && { pactBrokerToken: token }),
    consumerVersionSelectors: [
      { mainBranch: true },
      ...(branch === undefined ? [] : [{ matchingBranch: true }]),
      { deployedOrReleased: true },
    ],
    enablePending: true,
    includeWipPactsSince: WIP_SINCE,
    ...(branch !== undefined && { providerVersionBranch: branch }),
    ...(publish && { publishVerificationResult: true, providerVersion: publish.version }),
  };
}
