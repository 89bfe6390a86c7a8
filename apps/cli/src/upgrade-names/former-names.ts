import * as schemas from '@hr/schemas';
import { z } from 'zod';
import { columnsOf, kindOf } from '../output/columns-of.ts';

const renames = new Map(Object.entries<Readonly<Record<string, string>>>(schemas.renames));
const models = new Map(
  Object.entries<unknown>(schemas).filter((entry): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject),
);

/** All models of the API, by name. */
export const modelNames: readonly string[] = [...models.keys()];

/** Former name → the models that have it. */
const formerNames: ReadonlyMap<string, readonly string[]> = new Map(
  [...renames.values()].flatMap(Object.keys).map((former) => {
    return [former, [...renames.keys()].filter((model) => currentNameIn([model], former) !== undefined)];
  }),
);

/** The current name of a former one in these models. */
export function currentNameIn(among: readonly string[], former: string): string | undefined {
  return among.map((model) => renames.get(model)?.[former]).find((current) => current !== undefined);
}

/** The models that a field of these models has, itself or in an array. */
export function modelsOfField(among: readonly string[], field: string): string[] {
  const fields = new Set(among.map((model) => contentOf(models.get(model)?.shape[field])));
  return modelNames.filter((name) => fields.has(models.get(name)));
}

function contentOf(type: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return contentOf(type.unwrap());
  return type instanceof z.ZodArray ? contentOf(type.element) : type;
}

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
  const having = formerNames.get(name);
  const rule = having && { current: currentNameIn(having, name), models: having.join(', ') };
  return { file, line: line + 1, column: column + 1, name, ...rule, note };
}
