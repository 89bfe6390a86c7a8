import type { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { text } from './text.ts';

/**
 * A string of which the specification shows only some values (section 2.11). Editors suggest those, but any other value
 * is valid.
 */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodType<Known | (string & {}), string> {
  return notInSpecification(text()).meta({ examples: [...known] });
}
