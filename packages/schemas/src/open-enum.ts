import type { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { text } from './text.ts';

/** A string of which the specification shows only some values (section 2.11): editors complete those, and any other is valid. */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodType<Known | (string & {}), string> {
  return notInSpecification(text()).meta({ examples: [...known] });
}
