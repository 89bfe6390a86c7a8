import fc from 'fast-check';
import type { JsonSchema } from './schema-values.ts';

const ASTRAL = '💩';
const LONE_SURROGATE = '\uD83D';
const JUST_OVER = 1e-3;

/** A place in a body, and what its model says of it. */
export interface Place {
  readonly pointer: string;
  readonly schema: JsonSchema;
}

/** All places of a body; of an array, its first element. */
export function placesOf(schema: JsonSchema, pointer = ''): Place[] {
  const properties = Object.entries(schema.properties ?? {});
  return [
    { pointer, schema },
    ...properties.flatMap(([name, property]) => placesOf(property, `${pointer}/${name}`)),
    ...(schema.items ? placesOf(schema.items, `${pointer}/0`) : []),
  ];
}

/** Values at the bounds of a place, which it takes. */
export function acceptedBy({ minLength = 0, maxLength, pattern, ...schema }: JsonSchema): unknown[] {
  if (schema.enum) return [...schema.enum];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'number') return [schema.minimum, schema.maximum, 0, -0.1, 1e-7].filter(isDefined);
  if (schema.type !== 'string' || schema.format === 'uri') return [];
  if (pattern !== undefined) {
    const inLength = samplesOf(pattern).filter(({ length }) => length >= minLength && length <= (maxLength ?? length));
    const byLength = inLength.toSorted((one, other) => one.length - other.length);
    if (maxLength !== undefined && byLength.at(-1)?.length !== maxLength) throw new Error('Draw more samples.');
    return [byLength[0], byLength.at(-1)].filter(isDefined);
  }
  if (schema.format !== undefined) return [];
  const characters = [maxLength, minLength].filter(isDefined);
  return characters.flatMap((count) => [ASTRAL.repeat(count), 'x'.repeat(count)]);
}

const samples = new Map<string, readonly string[]>();

/** Texts that match a pattern; it is asked for at every place that has it. */
function samplesOf(pattern: string): readonly string[] {
  const found =
    samples.get(pattern) ??
    fc.sample(fc.stringMatching(new RegExp(pattern), { size: 'max' }), { numRuns: 1000, seed: 1 });
  samples.set(pattern, found);
  return found;
}

/** Values just beyond the bounds of a place and of other types, each with the code of its fault. */
export function refusedBy({
  minLength = 0,
  maxLength,
  pattern,
  ...schema
}: JsonSchema): [value: unknown, code: string][] {
  const isInteger = schema.type === 'integer';
  const step = isInteger ? 1 : JUST_OVER;
  const others = [null, 5, 'x', true, [], {}].filter(
    (value) => typeName(value) !== (isInteger ? 'number' : schema.type) && !(value === null && schema.nullable),
  );
  const faults: [unknown, string][] = others.map((value) => [value, 'wrong-type']);
  if (schema.enum) return [...faults, ['SOMETHING_NEW', 'not-allowed']];
  if (schema.minItems !== undefined) faults.push([[], 'too-short']);
  if (schema.maximum !== undefined) faults.push([schema.maximum + step, 'out-of-range']);
  if (schema.minimum !== undefined) faults.push([schema.minimum - step, 'out-of-range']);
  if (schema.type !== 'string') return faults;
  if (maxLength !== undefined)
    faults.push(['x'.repeat(maxLength + 1), 'too-long'], [ASTRAL.repeat(maxLength + 1), 'too-long']);
  if (minLength > 0) faults.push([ASTRAL.repeat(minLength - 1), 'too-short'], ['', 'too-short']);
  const filling = 'x'.repeat(Math.max(0, minLength - 1));
  for (const odd of ['\0', LONE_SURROGATE]) faults.push([filling + odd, 'wrong-format']);
  if (pattern !== undefined)
    faults.push(
      // Unless it matches.
      ...(new RegExp(pattern).test(`${filling}x`) ? [] : [[`${filling}x`, 'wrong-format'] as [unknown, string]]),
      [`${String(acceptedBy({ ...schema, pattern, minLength })[0])}\n`, 'wrong-format'],
    );
  return faults;
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A body that is right but for one place. */
export function withValue(base: unknown, pointer: string, value: unknown): unknown {
  const [, name, ...rest] = pointer.split('/');
  if (name === undefined) return value;
  const below = rest.map((one) => `/${one}`).join('');
  const found = (base as Record<string, unknown> | undefined)?.[name];
  if (name === '0') return [withValue(found, below, value)];
  return { ...(base as object), [name]: withValue(found, below, value) };
}
