import { z } from 'zod';

/** Makes a function that returns the fields of a model. It leaves out unknown fields: showing a field is a decision. */
export function shown(model: z.ZodType): (value: object) => object {
  const fields = withoutBounds(model);
  return (value) => fields.parse(withoutEmpty(value)) as object;
}

/** The HR Cloud's data may break the bounds of a model. */
function withoutBounds(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return withoutBounds(schema.unwrap()).optional();
  if (schema instanceof z.ZodArray) return z.array(withoutBounds(schema.element));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, withoutBounds(field)]);
    return z.object(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodNumber) return z.number();
  return schema instanceof z.ZodBoolean ? z.boolean() : z.string();
}

/** A copy without fields that are `null`, undefined or empty text: they tell a model nothing. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined && field !== '');
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutEmpty(field)]));
}
