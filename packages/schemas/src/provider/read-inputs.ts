import type { z } from 'zod';
import { IdempotencyKey } from '../primitives.ts';
import { issuesOf, jsonPointer, shownName, type Issue } from '../issues.ts';

const OptionalKey = IdempotencyKey.optional();

/** The models of an operation's inputs, from its entry in the operation table. */
export interface InputSchemas {
  readonly pathParameters: z.ZodType;
  readonly query: z.ZodObject;
  /** Name of a query parameter in `query` → its name in the URL, if that differs. */
  readonly wireNames?: Readonly<Record<string, string>> | undefined;
  readonly body?: z.ZodType | undefined;
  /** Whether it accepts the header `Idempotency-Key`. */
  readonly idempotencyKey?: true | undefined;
}

/** The inputs of a request, each decoded once. */
export interface SentInputs {
  readonly path: unknown;
  /** In the order of the URL, with the names in the URL. */
  readonly query: readonly (readonly [wireName: string, value: string])[];
  readonly idempotencyKey: string | undefined;
  readonly body: unknown;
}

/**
 * The query of a request, and the issues of all its inputs.
 *
 * @sealed
 */
export interface ReadInputs {
  /** The query with the names of the operation table. */
  readonly query: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
}

/**
 * Checks the inputs of a request. Unknown and repeated query parameters are issues.
 */
export function readInputs(schemas: InputSchemas, sent: SentInputs): ReadInputs {
  const wireNameOf = (name: string): string => schemas.wireNames?.[name] ?? name;
  const names = new Map(Object.keys(schemas.query.shape).map((name) => [wireNameOf(name), name]));
  const query = namedQuery(names, sent.query);
  const issues = [
    ...issuesIn(schemas.pathParameters, sent.path),
    ...query.issues,
    ...issuesIn(schemas.query, query.values).map((issue) => ({
      ...issue,
      pointer: `/${wireNameOf(issue.pointer.slice(1))}`,
    })),
    ...issuesIn(OptionalKey, sent.idempotencyKey).map((issue) => ({
      ...issue,
      pointer: '/Idempotency-Key',
    })),
    ...(schemas.body ? issuesIn(schemas.body, sent.body) : []),
  ];
  return { query: query.values, issues };
}

function issuesIn(schema: z.ZodType, value: unknown): Issue[] {
  const { error } = schema.safeParse(value);
  return error ? issuesOf(error, value) : [];
}

/** @param names by the names in the URL */
function namedQuery(
  names: ReadonlyMap<string, string>,
  sent: SentInputs['query'],
): { values: Record<string, string>; issues: Issue[] } {
  const allowed = (): string =>
    names.size > 0 ? `allowed: ${[...names.keys()].join(', ')}` : 'this address takes no query';
  const values: Record<string, string> = {};
  const issues: Issue[] = [];
  for (const [wireName, value] of sent) {
    const pointer = jsonPointer([shownName(wireName)]);
    const name = names.get(wireName);
    if (name === undefined) issues.push({ pointer, code: 'unknown-name', detail: `is not known here; ${allowed()}` });
    else if (Object.hasOwn(values, name)) issues.push({ pointer, code: 'rule', detail: 'must be given only once' });
    else values[name] = value;
  }
  return { values, issues };
}
