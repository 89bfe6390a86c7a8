import { z } from 'zod';

/** A field of a model, however deep. */
export interface Field {
  /** What reads it, such as `?.employments?.[0]?.start`. */
  readonly access: string;
  /** What a linter says of what is deprecated on the way to it. */
  readonly deprecations: readonly string[];
}

type Schema = z.core.JSONSchema.BaseSchema;

/** All fields of a model, and of what is within it. */
export function fieldsOf(model: z.ZodType): Field[] {
  const root = z.toJSONSchema(model, { unrepresentable: 'any' });
  return within(root, { access: '', deprecations: [] });

  function within(schema: Schema, around: Field): Field[] {
    const { access, deprecations } = around;
    const fields = Object.entries(schema.properties ?? {}).flatMap(([name, value]): Field[] => {
      const { deprecated, description } = value as Schema;
      const said = deprecated ? [`\`${name}\` is deprecated. ${description}`] : [];
      const field = { access: `${access}?.${name}`, deprecations: [...deprecations, ...said] };
      return [field, ...within(value as Schema, field)];
    });
    const referred = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return [
      ...fields,
      ...(schema.anyOf ?? []).flatMap((other) => within(other, around)),
      ...(referred ? within(referred, around) : []),
      ...(schema.items ? within(schema.items as Schema, { access: `${access}?.[0]`, deprecations }) : []),
    ];
  }
}
