import { z } from 'zod';

/**
 * A value as in a response. Optional fields may be missing or `null`. Unknown keys are kept, but not in the type.
 * Closed lists of strings may have new values, because `@hr/client` passes them on. Required fields are always present.
 * Few fields are required, because the specification does not say which are always present (section 2.11).
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
 * Converts a strict model to a tolerant one. It accepts {@link Lenient} values within the bounds that the specification
 * states. A value outside a closed list, such as an unknown `status`, breaks a bound.
 *
 * @example
 * lenient(Person).parse({ id: '1', firstName: null, shoeSize: 43 });
 */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodType<Lenient<z.output<Schema>>> {
  return relaxed(schema, (check) => !unstated.has(check)) as never;
}

/** Converts a strict model to one that checks only types and required fields, without bounds. */
export function unbounded(schema: z.ZodType): z.ZodType {
  return relaxed(schema, () => false);
}

/** Marks the bounds of a model as ours: requests must respect them, but the specification does not state them. */
export function notInSpecification<Schema extends z.ZodType>(schema: Schema): Schema {
  for (const check of schema.def.checks ?? []) unstated.add(check);
  return schema;
}

/** The strict model of a tolerant object model, or the model itself. */
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
