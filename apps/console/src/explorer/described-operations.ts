import { operations, wireNames, type Operation, type OperationId, type WireNames } from '@hr/schemas';
import type { z } from 'zod';
import { openApiDocument } from '@hr/schemas/openapi';
import { REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';

/** A value of the API, as the specification describes it. */
export interface DescribedValue {
  readonly name: string;
  /** Such as `string`, `array of Employment` or `date`. */
  readonly type: string;
  /** Bounds and allowed values, such as `max 80`. */
  readonly bounds: readonly string[];
  readonly required: boolean;
  /** A sentence of the specification. */
  readonly description?: string | undefined;
  readonly deprecated?: boolean;
  /** Of a parameter: where it is, and its name there. */
  readonly place?: 'path' | 'query' | 'header';
  readonly wireName?: string;
}

/** A field of a body or a response, with the fields in it. */
export interface SchemaField extends DescribedValue {
  readonly fields: readonly SchemaField[];
}

/** The part of JSON Schema that the models of the API have. */
interface JsonSchema {
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

interface OpenApiOperation {
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly parameters: readonly (Pick<JsonSchema, 'description'> & {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    readonly schema: JsonSchema;
  })[];
}

const document = openApiDocument();
const schemas = document.components.schemas as Readonly<Record<string, JsonSchema>>;
/** The end of each description; the section and the component have fields of their own. */
const facts = / ?(?:Needs the time-recording component|Section|Goes beyond section) .*$/;
const LARGE = 1e6;

/** An operation of the API, as its specification describes it. */
export type DescribedOperation = (typeof describedOperations)[number];

/** All operations of the API. */
export const describedOperations = Object.entries<Operation>(operations).map(([key, operation]) => {
  const { method, path, tag, summary, section, body, response, delta } = operation;
  const id = key as OperationId;
  const described = document.paths[path]?.[method.toLowerCase()] as OpenApiOperation;
  const names: Readonly<Record<string, string>> = wireNames[id as keyof WireNames] ?? {};
  return {
    id,
    method,
    path,
    tag,
    summary,
    description: described.description.replace(facts, ''),
    section,
    /** Version of the time-recording component that it needs at least. */
    timeComponent: operation.timeComponent && REQUIRED_TIME_COMPONENT_VERSION,
    isExtension: operation.extension ?? false,
    isList: operation.list,
    parameters: described.parameters.map(({ name: wireName, in: place, required, description, schema }) => ({
      name: Object.keys(names).find((name) => names[name] === wireName) ?? wireName,
      wireName,
      place,
      required,
      description,
      ...describedType(schema),
    })),
    body: body && describedModel(body),
    bodyExample: described.requestBody?.content['application/json']?.example,
    /** The response, or the elements of its array; the second one is of a list of changes. */
    responses: [response, ...(delta ? [delta] : [])].map(describedModel),
  };
});

function describedModel(model: z.ZodType) {
  const name = String(model.meta()?.id);
  return { name, fields: schemaFields(schemas[name] ?? {}) };
}

/** The fields of an object. */
function schemaFields(schema: JsonSchema): SchemaField[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).map(([name, property]) => {
    const whole = notNull(property);
    return {
      name,
      ...describedType(property),
      required: required.includes(name),
      deprecated: property.deprecated ?? false,
      description: property.description ?? whole.description ?? resolved(whole).description,
      fields: schemaFields(whole.items ?? whole),
    };
  });
}

function describedType(schema: JsonSchema): Pick<DescribedValue, 'type' | 'bounds'> {
  const whole = notNull(schema);
  const target = resolved(whole);
  const orNull = whole === schema ? '' : ' or null';
  if (whole.$ref !== undefined) return { type: modelName(whole.$ref) + orNull, bounds: [] };
  if (target.items) {
    const { type, bounds } = describedType(target.items);
    return { type: `array of ${type}${orNull}`, bounds };
  }
  return { type: (target.format ?? target.type ?? 'any') + orNull, bounds: boundsOf(target) };
}

function boundsOf({ minLength, maxLength, minimum, maximum, pattern, enum: values }: JsonSchema): string[] {
  const isExact = minLength !== undefined && minLength === maxLength;
  return [
    isExact && `length ${minLength}`,
    !isExact && minLength !== undefined && `min ${minLength}`,
    !isExact && maxLength !== undefined && `max ${maxLength}`,
    minimum !== undefined && maximum !== undefined && `${shortNumber(minimum)} to ${shortNumber(maximum)}`,
    pattern,
    values?.join(', '),
  ].filter((bound) => bound !== undefined && bound !== false);
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

function resolved(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[modelName(schema.$ref)] ?? {});
}

function modelName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
