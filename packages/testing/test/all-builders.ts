import * as schemas from '@hr/schemas';
import { z } from 'zod';
import * as fixtures from '../src/fixtures/index.ts';
import type { Builder } from '../src/fixtures/index.ts';

type AnyModel = z.ZodObject;
type AnyBuilder = Builder<Record<string, unknown>>;

const builders = Object.entries<unknown>(fixtures).filter(([, value]) => typeof value === 'object');

/** The names of the models of `@hr/schemas`. */
export const modelNames = Object.entries<unknown>(schemas).flatMap(([name, value]) =>
  value instanceof z.ZodObject ? [name] : [],
);

/** Every builder there is, with the strict model it is named after. */
export const allBuilders = builders.map(([name, builder]) => {
  const modelName = name.slice(0, 1).toUpperCase() + name.slice(1);
  const model = (schemas as Record<string, unknown>)[modelName] as AnyModel;
  return { name, modelName, builder: builder as AnyBuilder, model };
});
