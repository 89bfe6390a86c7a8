import { IdempotencyKey, issuesOf, jsonPointer } from '@hr/schemas';
import type { Issue } from '@hr/schemas';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { HttpProblem, invalidRequest } from './http-problem.ts';
import { parseForm } from './parse-form.ts';
import { readJson } from './read-json.ts';
import type { Inputs, Route } from './route.ts';

/**
 * Checks what a request brings against its route's schemas.
 *
 * @throws {HttpProblem} that tells everything that is wrong.
 */
export function checkInputs(route: Route, request: FastifyRequest): Inputs {
  const wireNames = new Map(Object.keys(route.query.shape).map((name) => [name, route.wireNames?.[name] ?? name]));
  const query = namedQuery(wireNames, request.url);
  // A header that is repeated has a comma and a space between its values.
  const idempotencyKey = route.idempotencyKey && (request.headers['idempotency-key'] as string | undefined);
  const body = route.body && readJson(request.body as Buffer | undefined);
  const issues = [
    ...faults(route.pathParameters, request.params),
    ...query.issues,
    ...faults(route.query, query.values).map((issue) => ({
      ...issue,
      pointer: `/${wireNames.get(issue.pointer.slice(1))}`,
    })),
    ...faults(IdempotencyKey.optional(), idempotencyKey).map((issue) => ({ ...issue, pointer: '/Idempotency-Key' })),
    ...(route.body ? faults(route.body, body) : []),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  return { path: request.params, query: query.values, body, idempotencyKey };
}

function faults(schema: z.ZodType, value: unknown): Issue[] {
  const { error } = schema.safeParse(value);
  return error ? issuesOf(error, value) : [];
}

const LONGEST_NAME_SHOWN = 80;

/** The query under the names of the operation table. */
function namedQuery(
  wireNames: ReadonlyMap<string, string>,
  url: string,
): { values: Record<string, string>; issues: Issue[] } {
  const at = url.indexOf('?');
  const sent = parseForm(at < 0 ? '' : url.slice(at + 1));
  if (!sent) throw new HttpProblem('invalid-request', 'The query is not valid percent-encoded UTF-8.');
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
