import { z } from 'zod';

/**
 * The model of what a tool returns of a model: the same fields without bounds, because the HR Cloud's data may break
 * them. Parsing leaves out unknown fields: showing a field is a decision.
 */
export function shown(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return shown(schema.unwrap()).optional();
  const { description } = schema as z.ZodType;
  const plain = withoutBounds(schema);
  return description === undefined ? plain : plain.describe(description);
}

function withoutBounds(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(shown(schema.element));
  if (schema instanceof z.ZodObject) {
    return z.object(Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, shown(field)])));
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
