import { z } from 'zod';
import { jsonPointer } from './issues.ts';
import { strictModel } from './lenient.ts';
import { modelId } from './model.ts';
import { renames, type Downgraded, type Names } from './renames.ts';

/**
 * A former name that {@link upgrade} found: its place, never its value.
 *
 * @sealed
 */
export interface Renaming {
  /** JSON Pointer (RFC 6901) to the former name in the old data. */
  readonly pointer: string;
  readonly former: string;
  readonly current: string;
  /** Whether the former field was dropped, because the current one also has a value. */
  readonly dropped: boolean;
}

/**
 * Data with the current names, and the list of renamed fields.
 *
 * @sealed
 */
export interface Upgrade<Data> {
  readonly data: Data;
  readonly renamed: readonly Renaming[];
}

/**
 * Returns a copy of old data with the current field names (section 9). It changes nothing else: check the result with
 * the model. If both names have a value, the value of the current name wins.
 *
 * @param model - The model of the data, such as `Person`, `Person.array()` or `lenient(Person)`.
 * @example
 * upgrade(Person, { id: '1', address: { postalCode: '10115' } });
 * // { data: { id: '1', address: { zipCode: '10115' } },
 * //   renamed: [{ pointer: '/address/postalCode', former: 'postalCode', current: 'zipCode', dropped: false }] }
 */
export function upgrade<Schema extends z.ZodType>(
  model: Schema,
  old: Downgraded<z.output<Schema>>,
): Upgrade<z.output<Schema>>;
export function upgrade(model: z.ZodType, old: unknown): Upgrade<unknown>;
export function upgrade(model: z.ZodType, old: unknown): Upgrade<unknown> {
  const renamed: Renaming[] = [];
  const data = rewrite(model, old, [], (_, current) => current, renamed);
  return { data, renamed };
}

/**
 * Returns a copy of data with the former field names, for a program that still reads them. The API does not accept
 * them.
 *
 * @param model - The model of the data, such as `Person`, `Person.array()`, or `lenient(Person)` for a response.
 * @example
 * downgrade(Person, { id: '1', address: { zipCode: '10115' } }); // { id: '1', address: { postalCode: '10115' } }
 */
export function downgrade<Schema extends z.ZodType>(
  model: Schema,
  data: z.output<Schema>,
): Downgraded<z.output<Schema>> {
  return rewrite(model, data, [], formerName) as Downgraded<z.output<Schema>>;
}

function formerName(names: Names, current: string): string {
  return Object.keys(names).find((former) => names[former] === current) ?? current;
}

function rewrite(
  model: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  nameOf: (names: Names, current: string) => string,
  renamed: Renaming[] = [],
): unknown {
  if (model instanceof z.ZodOptional || model instanceof z.ZodNullable) {
    return rewrite(model.unwrap(), value, path, nameOf, renamed);
  }
  if (model instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element, index) => rewrite(model.element, element, [...path, index], nameOf, renamed));
  }
  if (!(model instanceof z.ZodObject) || !isRecord(value)) return value;
  const names = namesOf(model);
  const fields = new Map<string, unknown>();
  for (const [key, field] of Object.entries(value)) {
    const current = Object.hasOwn(names, key) ? (names[key] as string) : key;
    if (current !== key) {
      const dropped = value[current] !== undefined && value[current] !== null;
      renamed.push({ pointer: jsonPointer([...path, key]), former: key, current, dropped });
      if (dropped) continue;
    }
    const name = nameOf(names, current);
    // The current name has no value, and the former name already has one.
    if (current === key && (field === undefined || field === null) && fields.has(name)) continue;
    const inner = Object.hasOwn(model.shape, current) ? model.shape[current] : undefined;
    fields.set(name, inner ? rewrite(inner, field, [...path, key], nameOf, renamed) : field);
  }
  return Object.fromEntries(fields);
}

function namesOf(model: z.ZodObject): Names {
  const id = modelId(strictModel(model));
  return id !== undefined && Object.hasOwn(renames, id) ? renames[id as keyof typeof renames] : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
