import { z } from 'zod';

/**
 * A value as a tolerant reader may find it in an answer: what is optional may be missing or `null`, and unknown keys
 * are kept (they are not in the type). The specification does not say which fields are always present (section 2.11).
 */
export type Lenient<T> = T extends readonly (infer Element)[]
  ? Lenient<Element>[]
  : T extends object
    ? {
        [Key in keyof T]: undefined extends T[Key]
          ? Lenient<Exclude<T[Key], undefined>> | null | undefined
          : Lenient<T[Key]>;
      }
    : T;

/**
 * The tolerant reader of a strict model.
 *
 * @example
 * lenient(Person).parse({ id: '1', firstName: null, shoeSize: 43 });
 */
export function lenient<Schema extends z.ZodType>(schema: Schema): z.ZodType<Lenient<z.output<Schema>>> {
  return tolerant(schema) as never;
}

function tolerant(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return tolerant(schema.unwrap()).nullish();
  if (schema instanceof z.ZodArray) return z.array(tolerant(schema.element));
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const shape: Record<string, z.ZodType> = {};
  for (const [key, field] of Object.entries(schema.shape)) shape[key] = tolerant(field);
  const loose = z.looseObject(shape);
  // A model's own rules, such as the one of post-office boxes, hold for what is received too.
  return schema.def.checks ? loose.check(...(schema.def.checks as Parameters<typeof loose.check>)) : loose;
}
