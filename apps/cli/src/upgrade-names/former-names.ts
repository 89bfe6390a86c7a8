import * as schemas from '@hr/schemas';
import { z } from 'zod';

const renames = new Map(Object.entries<Readonly<Record<string, string>>>(schemas.renames));
const models = new Map(
  Object.entries<unknown>(schemas).filter((entry): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject),
);

/** All models of the API, by name. */
export const modelNames: readonly string[] = [...models.keys()];

/** Former name → the models that have it. */
export const formerNames: ReadonlyMap<string, readonly string[]> = new Map(
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
