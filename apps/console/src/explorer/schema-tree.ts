/** A field of a body or a response, with the fields in it. */
export interface SchemaField {
  readonly name: string;
  /** Such as `string`, `array of Employment` or `date`. */
  readonly type: string;
  /** Bounds and allowed values, such as `max 80`. */
  readonly bounds: readonly string[];
  readonly required: boolean;
  readonly deprecated: boolean;
  /** A sentence of the specification. */
  readonly description: string | undefined;
  readonly fields: readonly SchemaField[];
}

/** The part of JSON Schema that the models of the API have. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const LARGE = 1e6;

export type JsonSchemas = Readonly<Record<string, JsonSchema>>;

/** The fields of an object. */
export function schemaFields(schema: JsonSchema, schemas: JsonSchemas): SchemaField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { type, bounds } = describedType(property, schemas);
    const whole = notNull(property);
    return {
      name,
      type,
      bounds,
      required: required.includes(name),
      deprecated: property.deprecated ?? false,
      description: property.description ?? whole.description ?? resolved(whole, schemas).description,
      fields: schemaFields(whole.items ?? whole, schemas),
    };
  });
}

/** The type of a value, and its bounds. */
export function describedType(schema: JsonSchema, schemas: JsonSchemas): Pick<SchemaField, 'type' | 'bounds'> {
  const whole = notNull(schema);
  const target = resolved(whole, schemas);
  const orNull = whole === schema ? '' : ' or null';
  if (whole.$ref !== undefined) return { type: modelName(whole.$ref) + orNull, bounds: [] };
  if (target.items) {
    const { type, bounds } = describedType(target.items, schemas);
    return { type: `array of ${type}${orNull}`, bounds };
  }
  return { type: (target.format ?? target.type ?? 'any') + orNull, bounds: boundsOf(target) };
}

function boundsOf({ minLength, maxLength, minimum, maximum, pattern, enum: values }: JsonSchema): string[] {
  const length =
    minLength === maxLength
      ? [lengthBound('length', minLength)]
      : [lengthBound('min', minLength), lengthBound('max', maxLength)];
  return [
    ...length,
    minimum === undefined || maximum === undefined ? undefined : `${shortNumber(minimum)} to ${shortNumber(maximum)}`,
    pattern,
    values?.join(', '),
  ].filter((bound) => bound !== undefined);
}

function lengthBound(name: string, value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${value}`;
}

/** Fields of a change may be null, which says that there is no value any more. */
function notNull(schema: JsonSchema): JsonSchema {
  return (
    schema.anyOf?.find(({ type, $ref }) => type !== 'null' && (type !== undefined || $ref !== undefined)) ?? schema
  );
}

/** Such as `1e12`. */
function shortNumber(value: number): string {
  return Math.abs(value) < LARGE ? String(value) : value.toExponential().replace('+', '');
}

function resolved(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[modelName(schema.$ref)] ?? {});
}

function modelName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
