import type { z } from 'zod';
import { IdempotencyKey } from '../idempotency-key.ts';
import { issuesOf, jsonPointer } from '../issues.ts';
import type { Issue } from '../issues.ts';

/** What an operation takes, as its entry in the operation table says it. */
export interface InputSchemas {
  readonly pathParameters: z.ZodType;
  readonly query: z.ZodObject;
  /** Name of a query parameter in `query` → its name in the URL, where that is another. */
  readonly wireNames?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
}

/** What a request brings, each part decoded once. */
export interface SentInputs {
  readonly path: unknown;
  /** In the order of the URL, under its names. */
  readonly query: readonly (readonly [wireName: string, value: string])[];
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
}

/**
 * What a request brings, and all that is wrong with it.
 *
 * @sealed
 */
export interface ReadInputs {
  /** The query under the names of the operation table. */
  readonly query: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
}

/** Reads and checks what a request brings. A query parameter that is unknown or repeated is refused, never ignored. */
export function readInputs(schemas: InputSchemas, sent: SentInputs): ReadInputs {
  const names = Object.keys(schemas.query.shape).map((name) => [name, schemas.wireNames?.[name] ?? name] as const);
  const wireNames = new Map(names);
  const query = namedQuery(wireNames, sent.query);
  const issues = [
    ...faults(schemas.pathParameters, sent.path),
    ...query.issues,
    ...faults(schemas.query, query.values).map((issue) => ({
      ...issue,
      pointer: `/${wireNames.get(issue.pointer.slice(1))}`,
    })),
    ...faults(IdempotencyKey.optional(), sent.idempotencyKey).map((issue) => ({
      ...issue,
      pointer: '/Idempotency-Key',
    })),
    ...(schemas.body ? faults(schemas.body, sent.body) : []),
  ];
  return { query: query.values, issues };
}

function faults(schema: z.ZodType, value: unknown): Issue[] {
  const { error } = schema.safeParse(value);
  return error ? issuesOf(error, value) : [];
}

const LONGEST_NAME_SHOWN = 80;

function namedQuery(
  wireNames: ReadonlyMap<string, string>,
  sent: SentInputs['query'],
): { values: Record<string, string>; issues: Issue[] } {
  const names = new Map([...wireNames].map(([name, wireName]) => [wireName, name]));
  const allowed = names.size > 0 ? `allowed: ${[...names.keys()].join(', ')}` : 'this address takes no query';
  const values: Record<string, string> = {};
  const issues: Issue[] = [];
  for (const [wireName, value] of sent) {
    const pointer = jsonPointer([wireName.slice(0, LONGEST_NAME_SHOWN).toWellFormed()]);
    const name = names.get(wireName);
    if (name === undefined) issues.push({ pointer, code: 'unknown-name', detail: `is not known here; ${allowed}` });
    else if (Object.hasOwn(values, name)) issues.push({ pointer, code: 'rule', detail: 'must be given only once' });
    else values[name] = value;
  }
  return { values, issues };
}
