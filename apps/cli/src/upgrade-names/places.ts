import { z } from 'zod';
import { columnsOf, kindOf } from '../output/columns-of.ts';
import { currentNameIn, formerNames } from './former-names.ts';

const PlaceModel = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  name: z.string(),
  current: z.string().optional(),
  models: z.string().optional(),
  note: z.string().optional(),
});

/** A place that is left to the person. */
export type Place = z.infer<typeof PlaceModel>;

export const placeKind = kindOf<Place>('places', columnsOf(PlaceModel));

export const formerName = new RegExp(`\\b(?:${[...formerNames.keys()].join('|')})\\b`, 'g');

/** The places of former names in a text. */
export function placesIn(file: string, text: string): Place[] {
  // Editors do not count a byte order mark.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((content, line) =>
    Array.from(content.matchAll(formerName), ({ index, 0: name }) => placeOf(name, file, line, index)),
  );
}

/** The place of a name. Its line and column begin at 0, and those of a person at 1. */
export function placeOf(name: string, file: string, line: number, column: number, note?: string): Place {
  const models = formerNames.get(name);
  const rule = models && { current: currentNameIn(models, name), models: models.join(', ') };
  return { file, line: line + 1, column: column + 1, name, ...rule, note };
}
