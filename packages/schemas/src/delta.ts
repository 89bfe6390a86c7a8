import { z } from 'zod';

/** Models of fields that may also be `null`. */
export function nullable<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): { -readonly [Field in keyof Shape]: z.ZodNullable<Shape[Field]> } {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, orNull(field as z.ZodType)])) as never;
}

function orNull(field: z.ZodType): z.ZodType {
  const { deprecated, description } =
    (field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field).meta() ?? {};
  // The field is deprecated, not one of its two types.
  return deprecated ? field.nullable().meta({ deprecated, description }) : field.nullable();
}

/** Marks what was deleted since the date of a list of changes. */
export const deleted = z
  .literal(true)
  .optional()
  .describe('It was deleted: delete yours. Every field that is not an id or the date is `null`.')
  .meta({ 'x-extension': true });
