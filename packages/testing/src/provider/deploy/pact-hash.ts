import { hash } from 'node:crypto';
import type { Pact } from '../../contract/pact.ts';

/**
 * What a pact says, in 64 hexadecimal digits (SHA-256). How its file is written makes no difference: neither layout, nor
 * order of keys and interactions, nor metadata, nor what a broker adds.
 */
export function pactHash({
  consumer,
  provider,
  interactions,
}: Pick<Pact, 'consumer' | 'provider' | 'interactions'>): string {
  const each = interactions.map((interaction) => canonical({ ...interaction, _id: undefined })).toSorted();
  return hash('sha256', `${canonical([consumer, provider])}\n${each.join('\n')}`);
}

/** JSON with sorted keys and without white space (RFC 8785), so that equal values are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? sortedKeys(part) : part,
  );
}

function sortedKeys(part: object): object {
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
