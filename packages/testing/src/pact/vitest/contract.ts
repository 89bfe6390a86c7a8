import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import type { PactInteraction } from '../../contract/pact-interaction.ts';

/** The contract of a consumer: its interactions by their identity. */
export interface Contract {
  readonly consumer: string;
  readonly interactions: ReadonlyMap<string, PactInteraction>;
}

/** Two interactions of one identity are one: the same description and the same states. */
export function identityOf({ description, providerStates = [] }: PactInteraction): string {
  return JSON.stringify([description, ...providerStates.map(({ name, params = {} }) => [name, params])]);
}

/** Its file: the same interactions are the same bytes, whatever ran first, and whichever version of Pact. */
export function renderContract({ consumer, interactions }: Contract): string {
  const sorted = [...interactions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const pact = {
    consumer: { name: consumer },
    interactions: sorted.map(([, interaction]) => interaction),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: PROVIDER_NAME },
  };
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

/** The contract of a file's text; none where it is no pact with the HR cloud. */
export function parseContract(text: string): Contract | undefined {
  const { consumer, provider, interactions } = parsed(text);
  if (provider?.name !== PROVIDER_NAME || !consumer || !interactions) return undefined;
  return { consumer: consumer.name, interactions: new Map(interactions.map((each) => [identityOf(each), each])) };
}

interface PactDocument {
  readonly consumer?: { readonly name: string };
  readonly provider?: { readonly name: string };
  readonly interactions?: readonly PactInteraction[];
}

function parsed(text: string): PactDocument {
  try {
    return (JSON.parse(text) ?? {}) as PactDocument;
  } catch {
    return {};
  }
}
