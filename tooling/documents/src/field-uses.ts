import type { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** Code that reads a field, and what a linter says of it where its model says that it is deprecated. */
export interface FieldUse {
  readonly code: string;
  readonly sentences: readonly string[];
}

/** A use of each field of a model, however deep, such as `it?.employments?.[0]?.start`. */
export function* fieldUses(schema: Schema, use: FieldUse, definitions = schema.$defs): Generator<FieldUse> {
  const { code, sentences } = use;
  for (const [name, field] of Object.entries(schema.properties ?? {}) as [string, Schema][]) {
    const own = field.deprecated ? [`\`${name}\` is deprecated. ${field.description}`] : [];
    const ofField = { code: `${code}?.${name}`, sentences: [...sentences, ...own] };
    yield ofField;
    yield* fieldUses(field, ofField, definitions);
  }
  const referred = definitions?.[schema.$ref?.replace('#/$defs/', '') ?? ''];
  for (const same of [referred, ...(schema.anyOf ?? [])]) if (same) yield* fieldUses(same, use, definitions);
  if (schema.items) yield* fieldUses(schema.items as Schema, { code: `${code}?.[0]`, sentences }, definitions);
}
