import { Address, operations, PostOfficeBox, renames, StreetAddress, TimeBookingPerson } from '@hr/schemas';
import { z } from 'zod';

/** A model of the API that has former field names, and what tells it from other objects with such a field. */
export interface RenamedModel {
  readonly name: string;
  /** Former field name → current one. */
  readonly names: ReadonlyMap<string, string>;
  /** All fields, by their current names. */
  readonly fields: ReadonlySet<string>;
  /** The fields that hold neither an object nor an array. */
  readonly scalars: ReadonlySet<string>;
  /** The required fields that never had another name. */
  readonly required: readonly string[];
}

const schemas = { Address, StreetAddress, PostOfficeBox, TimeBookingPerson } satisfies Record<
  keyof typeof renames,
  z.ZodObject
>;

/** The models with former names, by name. */
export const renamedModels: ReadonlyMap<string, RenamedModel> = new Map(
  Object.entries(schemas).map(([name, schema]) => {
    const names = new Map(Object.entries<string>(renames[name as keyof typeof renames]));
    const renamed = new Set(names.values());
    const required = Object.entries<z.ZodType>(schema.shape)
      .filter(([field, type]) => !renamed.has(field) && !(type instanceof z.ZodOptional))
      .map(([field]) => field);
    const scalars = Object.entries<z.ZodType>(schema.shape)
      .filter(([, type]) => !isNested(type))
      .map(([field]) => field);
    return [name, { name, names, fields: new Set(Object.keys(schema.shape)), scalars: new Set(scalars), required }];
  }),
);

/** Former field name → current one, whatever the model. */
export const formerNames: ReadonlyMap<string, string> = new Map(
  [...renamedModels.values()].flatMap(({ names }) => [...names]),
);

/** The fields of the API that hold a model with former names, such as `address` of a person, or an array of it. */
export const fieldsOfApi: ReadonlyMap<string, RenamedModel> = new Map(
  Object.values(operations).flatMap((operation) =>
    ['body' in operation ? operation.body : undefined, operation.response]
      .flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : []))
      .flatMap(([field, type]) => {
        const [name] = Object.entries<z.core.$ZodType>(schemas).find(([, schema]) => schema === contentOf(type)) ?? [];
        const model = name === undefined ? undefined : renamedModels.get(name);
        return model ? [[field, model] as const] : [];
      }),
  ),
);

function isNested(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodOptional
    ? isNested(type.unwrap())
    : type instanceof z.ZodArray || type instanceof z.ZodObject;
}

function contentOf(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return contentOf(type.unwrap());
  return type instanceof z.ZodArray ? contentOf(type.element) : type;
}

/**
 * Whether one of these fields, which have objects or arrays, has none of them in the model. So it is another kind of
 * object, such as a JSON Schema of the model.
 */
export function hasOtherShape({ names, scalars }: RenamedModel, nested: readonly string[]): boolean {
  return nested.some((field) => scalars.has(names.get(field) ?? field));
}

/** Outside the API's own places, three quarters of an object's fields must be those of the model. */
const SHARE_ANYWHERE = 3 / 4;
const SHARE_IN_PLACE = 1 / 2;

/**
 * The model that an object with these fields must be: it has the required fields of the model, or at least two fields
 * of it and few others. In a place where the API has the model, half of the fields suffice. Former and current names
 * count alike, so that an object is the same model before and after its names change.
 */
export function modelOfFields(fields: Iterable<string>, place?: RenamedModel): RenamedModel | undefined {
  const written = [...fields];
  if (place) return shareOf(place, currentFields(place, written)) >= SHARE_IN_PLACE ? place : undefined;
  return [...renamedModels.values()].find((model) => {
    const all = currentFields(model, written);
    const { required, names } = model;
    if (required.length > 0) return [...required, ...names.values()].every((field) => all.has(field));
    return all.size > 1 && shareOf(model, all) >= SHARE_ANYWHERE;
  });
}

function currentFields({ names }: RenamedModel, fields: readonly string[]): Set<string> {
  return new Set(fields.map((field) => names.get(field) ?? field));
}

function shareOf({ fields }: RenamedModel, all: ReadonlySet<string>): number {
  return [...all].filter((field) => fields.has(field)).length / all.size;
}
