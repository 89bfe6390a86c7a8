import * as schemas from '@hr/schemas';
import { z } from 'zod';
import { fixtures, type Builder } from '../src/fixtures/index.ts';

type AnyModel = z.ZodObject;
type AnyBuilder = Builder<Record<string, unknown>>;

/** The names of the models of `@hr/schemas`. */
export const modelNames = Object.entries<unknown>(schemas).flatMap(([name, value]) =>
  value instanceof z.ZodObject ? [name] : [],
);

/** The builders of a seed by name, all of them new. */
function buildersOf(seed: number): Record<string, AnyBuilder> {
  const { reset: _reset, ...builders } = fixtures({ seed });
  return builders as object as Record<string, AnyBuilder>;
}

/** Every builder, the same with another seed, and the strict model that it is named after. */
export const allBuilders = Object.entries(buildersOf(1)).map(([name, builder]) => {
  const modelName = name.slice(0, 1).toUpperCase() + name.slice(1);
  const model = (schemas as Record<string, unknown>)[modelName] as AnyModel;
  const seeded = (seed: number): AnyBuilder => buildersOf(seed)[name] as AnyBuilder;
  return { name, modelName, builder, seeded, model };
});
