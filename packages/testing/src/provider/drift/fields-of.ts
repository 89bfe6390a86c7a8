import { z } from 'zod';
import { inner } from '../../model/leaf.ts';

/** The way to a place in a value. */
export type Path = readonly (string | number)[];

/** A place that an example fills, and what the model says of it. */
export interface Field {
  readonly path: Path;
  readonly value: unknown;
  /** Nothing where the model has no such field. */
  readonly model: z.ZodType | undefined;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

/** All places of an example, each before what is in it. */
export function* fieldsOf(field: z.core.$ZodType, value: unknown, path: Path = []): Generator<Field, void, undefined> {
  const model = inner(field);
  const isOptional = path.length > 0 && accepts(field, undefined);
  yield { path, value, model, isOptional, isNullable: accepts(field, null) };
  if (model instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* fieldsOf(model.element, element, [...path, index]);
  } else if (model instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    for (const [name, content] of Object.entries(value)) {
      const member = Object.hasOwn(model.shape, name) ? model.shape[name] : undefined;
      if (member) yield* fieldsOf(member, content, [...path, name]);
      else yield { path: [...path, name], value: content, model: undefined, isOptional: false, isNullable: false };
    }
  }
}

function accepts(field: z.core.$ZodType, value: undefined | null): boolean {
  return z.safeParse(field, value).success;
}
