import { z } from 'zod';
import type { Lenient } from './operation-types.ts';

/**
 * Converts a strict model to a tolerant one. It accepts {@link Lenient} values within the bounds that the specification
 * states. A value outside a closed list, such as an unknown `status`, breaks a bound.
 *
 * @example
 * lenient(Person).parse({ id: '1', firstName: null, shoeSize: 43 });
 */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodType<Lenient<z.output<Schema>>> {
  return relaxed(schema) as never;
}

/** Marks the bounds of a model as ours: requests must respect them, but the specification does not state them. */
export function notInSpecification<Schema extends z.ZodType>(schema: Schema): Schema {
  for (const check of schema.def.checks ?? []) unstated.add(check);
  return schema;
}

/** Whether the specification states a bound. */
export function isStated(check: object): boolean {
  return !unstated.has(check);
}

/** The strict model of a tolerant object model, or the model itself. */
export function strictModel(model: z.ZodObject): z.ZodObject {
  return strictModels.get(model) ?? model;
}

const unstated = new WeakSet<object>();
const strictModels = new WeakMap<z.ZodObject, z.ZodObject>();

function relaxed(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return relaxed(schema.unwrap()).nullish();
  }
  const leaf = schema as z.ZodType;
  const checks = (leaf.def.checks ?? []).filter(isStated);
  if (schema instanceof z.ZodArray) return z.array(relaxed(schema.element)).check(...(checks as never[]));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, relaxed(field)] as const);
    const object = z.looseObject(Object.fromEntries(fields)).check(...(checks as never[]));
    strictModels.set(object, strictModel(schema));
    return object;
  }
  return leaf.clone({ ...leaf.def, checks });
}
