import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { contentOf, type Interaction } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';

/** The contract of a consumer: its interactions by their identity. */
export interface Contract {
  readonly consumer: string;
  /** Whom to talk to about the contract. */
  readonly contact?: string | undefined;
  /** The version of the kit that wrote it, by default this one; `null` if the file does not say. */
  readonly version?: string | null | undefined;
  readonly interactions: ReadonlyMap<string, Interaction>;
}

/** Interactions with the same description and states are the same. */
export function identityOf({ description, providerStates = [] }: Interaction): string {
  return JSON.stringify([description, ...providerStates.map(({ name, params = {} }) => [name, params])]);
}

/** Names interactions by their descriptions. If descriptions are equal, it adds the states in which they differ. */
export function namesOf(interactions: Iterable<Interaction>): (interaction: Interaction) => string {
  const groups = Map.groupBy(interactions, ({ description }) => description);
  return (interaction) => {
    const { description } = interaction;
    const alike = groups.get(description)?.map(statesOf) ?? [];
    const own = statesOf(interaction).filter((state) => !alike.every((other) => other.includes(state)));
    return own.length > 0 ? `${description} (given ${own.join(' and ')})` : description;
  };
}

function statesOf({ providerStates = [] }: Interaction): string[] {
  return providerStates.map(({ name, params = {} }) => `${name} ${JSON.stringify(params)}`);
}

/** The version of this kit, in the `package.json` around this file. */
export const kitVersion = versionAbove(import.meta.dirname);

function versionAbove(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  const { name, version } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  if (name === '@hr/testing') return version;
  // In a bundle there may be none.
  return dirname(folder) === folder ? undefined : versionAbove(dirname(folder));
}

/** The text of a contract file. Equal interactions give equal bytes, independent of the order of tests. */
export function renderContract({ consumer, contact, version = kitVersion, interactions }: Contract): string {
  const sorted = [...interactions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const pact = {
    consumer: { name: consumer },
    interactions: sorted.map(([, interaction]) => interaction),
    metadata: {
      ...(version !== null && { 'hr-testing': { contact, version } }),
      pactSpecification: { version: '4.0' },
    },
    provider: { name: PROVIDER_NAME },
  };
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

/** Parses the text of a contract file; of another text, what it is. */
export function parseContract(text: string): Contract | string {
  const content = contentOf(text);
  if (typeof content === 'string') return content;
  const { consumer, metadata, interactions } = content;
  const byIdentity = new Map(interactions.map((each) => [identityOf(each), each]));
  const repeated = interactions.find((each) => byIdentity.get(identityOf(each)) !== each);
  if (repeated) return `a contract with "${repeated.description}" twice`;
  return { consumer: consumer.name, version: null, ...metadata['hr-testing'], interactions: byIdentity };
}

const MAX_PLACES = 3;

/** The first places at which two values differ, as JSON Pointers. */
export function differingPlaces(one: unknown, other: unknown): string {
  const places = [...placesOf(one, other, '')];
  const others = places.length - MAX_PLACES;
  return places.slice(0, MAX_PLACES).join(', ') + (others > 0 ? ` and ${others} more` : '');
}

function* placesOf(one: unknown, other: unknown, place: string): Generator<string, void, undefined> {
  if (isDeepStrictEqual(one, other)) return;
  if (!(one instanceof Object && other instanceof Object)) {
    yield place;
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    yield* placesOf(one[key as never], other[key as never], `${place}/${key}`);
  }
}
