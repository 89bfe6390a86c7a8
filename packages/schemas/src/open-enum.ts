import type { z } from 'zod';
import { text } from './text.ts';

/** A string of which the specification shows only some values (section 2.11): the known ones are completed by an editor, any other is taken. */
export function openEnum<const Known extends string>(
  ...known: readonly Known[]
): z.ZodType<Known | (string & {}), string> {
  return text().meta({ examples: [...known] });
}
