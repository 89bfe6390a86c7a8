import { z } from 'zod';

/**
 * A value as a response may carry it: an optional field may be missing or `null`, unknown keys are kept (they are not in
 * the type), and a closed list of strings may have grown. A required field is always there. The specification does not
 * say which fields are always present (section 2.11), so few are required.
 *
 * @example
 * type Names = Lenient<Pick<Person, 'id' | 'lastName'>>; // { id: string; lastName?: string | null | undefined }
 */
export type Lenient<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer Element)[]
    ? Lenient<Element>[]
    : T extends object
      ? {
          [Key in keyof T]: undefined extends T[Key]
            ? Lenient<Exclude<T[Key], undefined>> | null | undefined
            : Lenient<T[Key]>;
        }
      : T;

/**
 * The tolerant reader of a strict model: it takes what {@link Lenient} describes, and still reports each bound that the
 * specification states.
 *
 * @example
 * lenient(Person).parse({ id: '1', firstName: null, shoeSize: 43 });
 */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodType<Lenient<z.output<Schema>>> {
  return relaxed(schema, (check) => !unstated.has(check)) as never;
}

/** The reader of what {@link Lenient} promises and nothing else: types and required fields, without any bound. */
export function unbounded(schema: z.ZodType): z.ZodType {
  return relaxed(schema, () => false);
}

/** Marks the bounds of a model as ours: requests must keep them, but the specification does not state them. */
export function notInSpecification<Schema extends z.ZodType>(schema: Schema): Schema {
  for (const check of schema.def.checks ?? []) unstated.add(check);
  return schema;
}

/** The strict model behind an object of a tolerant reader, or the model itself. */
export function strictModel(model: z.ZodObject): z.ZodObject {
  return strictModels.get(model) ?? model;
}

const unstated = new WeakSet<object>();
const strictModels = new WeakMap<z.ZodObject, z.ZodObject>();

function relaxed(schema: z.core.$ZodType, isKept: (check: object) => boolean): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return relaxed(schema.unwrap(), isKept).nullish();
  }
  const leaf = schema as z.ZodType;
  const checks = (leaf.def.checks ?? []).filter(isKept);
  if (schema instanceof z.ZodArray) return z.array(relaxed(schema.element, isKept)).check(...(checks as never[]));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, relaxed(field, isKept)] as const);
    const object = z.looseObject(Object.fromEntries(fields)).check(...(checks as never[]));
    strictModels.set(object, strictModel(schema));
    return object;
  }
  if (schema instanceof z.ZodEnum && !isKept(schema)) return z.string();
  return leaf.clone({ ...leaf.def, checks });
}
