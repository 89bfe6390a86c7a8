// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';

type Field<Value> = undefined extends Value
  ? z.ZodOptional<z.ZodType<Exclude<Value, undefined>, Exclude<Value, undefined>>>
  : z.ZodType<Value, Value>;

/**
 * A strict zod object with these fields. `shape` has the model of each field, and `pick`, `omit` and `extend` derive
 * models of your own.
 */
export type Model<Value> = z.ZodObject<{ [Name in keyof Value]-?: Field<Value[Name]> }, z.core.$strict>;

/** The id of a model, also of one that only describes it anew. */
export function modelId(model: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(model)?.id ?? (model._zod.parent && modelId(model._zod.parent));
}
