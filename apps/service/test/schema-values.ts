import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { z } from 'zod';
import { UUID_V7, uuidV7 } from '../src/audit/uuid-v7.ts';

/** A schema as JSON Schema, without its references. */
export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** `false` where no others are allowed. */
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whether `null` is a value, too. */
  readonly nullable?: boolean;
}

/** What a model says of its fields, for tests that go through all of them. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input' });
  const inline = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(inline);
    if ('anyOf' in part) {
      const { anyOf, ...rest } = part;
      const [one, ...others] = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
      if (others.length === 0) return { ...rest, ...(inline(one) as JsonSchema), nullable: true };
    }
    if ('$ref' in part) return inline($defs[String(part.$ref).slice('#/$defs/'.length)]);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value)]));
  };
  return inline(whole) as JsonSchema;
}

const LONGEST_UNBOUNDED = 300;
const MOST_ITEMS = 3;
const MAX_AGE_MS = 86_400_000;

const MOST_MISSES = 10_000;

/** Values that a model lets through. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  let misses = 0;
  const written = arbitrary(jsonSchemaOf(schema)).map((value) =>
    schema.safeParse(value).success ? value : asInQuery(value),
  );
  return written.filter((value) => {
    const { success } = schema.safeParse(value);
    misses = success ? 0 : misses + 1;
    if (misses > MOST_MISSES) {
      throw new Error(`Say here how values of this model are made: ${JSON.stringify(jsonSchemaOf(schema))}`);
    }
    return success;
  });
}

/** A list in a query is a text, separated by commas. */
function asInQuery(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asInQuery(one)]));
}

function arbitrary({ nullable, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (nullable) return fc.option(arbitrary(schema));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, arbitrary(one)])),
        { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true },
      );
    case 'array':
      // Deep in a request, fast-check makes hardly any array but the shortest.
      return fc.array(arbitrary(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: MOST_ITEMS });
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({
        min: schema.minimum ?? -1e9,
        max: schema.maximum ?? 1e9,
        noNaN: true,
        noDefaultInfinity: true,
      });
    case 'boolean':
      return fc.boolean();
    default:
      throw new Error(`Say here how values of the type ${schema.type} are made.`);
  }
}

function strings({ pattern, format, minLength = 0, maxLength = LONGEST_UNBOUNDED }: JsonSchema): fc.Arbitrary<string> {
  // Where nothing is ever sent to.
  if (format === 'uri') return fc.webPath().map((path) => `https://localhost${path}`);
  // Of a moment that the service still takes.
  if (pattern === UUID_V7.source) return fc.nat({ max: MAX_AGE_MS }).map((age) => uuidV7(Date.now() - age));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'date') return dates;
  // Its form is not told, and may be any.
  if (maxLength === LONGEST_UNBOUNDED) return fc.oneof(dates, fc.string({ unit: anyCharacter, minLength, maxLength }));
  return fc.string({
    unit: fc.oneof(fc.constantFrom('a', 'Z', '9', ' ', 'ä', 'ß', '😀'), anyCharacter),
    minLength,
    maxLength,
  });
}

const dates = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
