// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';

type Field<Value> = undefined extends Value
  ? z.ZodOptional<z.ZodType<Exclude<Value, undefined>, Exclude<Value, undefined>>>
  : z.ZodType<Value, Value>;

/** What the fields alone do not make: a rule over several of them, by which `Value` is a union. */
type Ruled<Value> = Pick<Value, keyof Value> extends Value ? z.core.$strict['out'] : Each<Value>;
type Each<Value> = Value extends unknown ? Pick<Value, keyof Value> : never;

/**
 * A strict zod object with these fields. `shape` has the model of each field, and `pick`, `omit` and `extend` derive
 * models of your own.
 */
export type Model<Value> = z.ZodObject<Shape<Pick<Value, keyof Value>>, { out: Ruled<Value>; in: Ruled<Value> }>;

// The comments of fields come through a mapping of `keyof` alone.
type Shape<Value> = { [Name in keyof Value]-?: Field<Value[Name]> };

/** The id of a model, also of one that only describes it anew. */
export function modelId(model: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(model)?.id ?? (model._zod.parent && modelId(model._zod.parent));
}
