import { z } from 'zod';

type Nullable<Field extends z.core.SomeType> =
  Field extends z.ZodOptional<infer Present> ? z.ZodOptional<z.ZodNullable<Present>> : z.ZodNullable<Field>;

/** Models of fields that may also be `null`. */
export function nullable<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): { -readonly [Name in keyof Shape]: Nullable<Shape[Name] & z.core.SomeType> } {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, orNull(field as z.ZodType)])) as never;
}

function orNull(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) return orNull(field.unwrap() as z.ZodType).optional();
  const { deprecated, description } = field.meta() ?? {};
  // The field is deprecated, not one of its two types.
  return deprecated ? field.nullable().meta({ deprecated, description }) : field.nullable();
}

/** Marks what was deleted since the date of a list of changes. */
export const deleted = z
  .literal(true)
  .optional()
  .describe('It was deleted: delete yours. Every field that is not an id or the date is `null`.')
  .meta({ 'x-extension': true });
