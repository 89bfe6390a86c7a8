// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';

/** The id of a model, also of one that only describes it anew. */
export function modelId(model: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(model)?.id ?? (model._zod.parent && modelId(model._zod.parent));
}
