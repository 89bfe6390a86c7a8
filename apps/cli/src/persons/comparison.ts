import { printable } from '@hr/text/printable';
import type { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Compares a value of a person before and after a change, as a line for each field.
 *
 * @param shown - The text for the value of a field. A stored one may have to be hidden.
 */
export function comparison(
  model: z.ZodObject,
  before: object,
  after: object,
  shown: (name: string, value: unknown, isStored: boolean) => string,
): string[] {
  // A newer HR Cloud may store fields that the model does not have.
  const names = new Set([...Object.keys(model.shape), ...Object.keys(before)]);
  return [...names].flatMap((name) => {
    const [old, next] = [(before as Fields)[name] ?? undefined, (after as Fields)[name] ?? undefined];
    if (old === undefined && next === undefined) return [];
    const label = printable(name);
    if (next === undefined) return [`${label}: ${shown(name, old, true)} (will be discarded)`];
    if (old === undefined) return [`${label}: ${shown(name, next, false)} (new)`];
    if (old === next) return [`${label}: ${shown(name, next, false)} (unchanged)`];
    return [`${label}: ${shown(name, old, true)} → ${shown(name, next, false)}`];
  });
}
