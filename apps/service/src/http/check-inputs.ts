import { parseForm, readInputs } from '@hr/schemas/rules';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, invalidRequest } from './http-problem.ts';
import { readJson } from './read-json.ts';
import type { Inputs, Route } from './route.ts';

/**
 * Checks what a request brings against its route's schemas.
 *
 * @throws {HttpProblem} that tells everything that is wrong.
 */
export function checkInputs(route: Route, request: FastifyRequest): Inputs {
  const { params: path, url } = request;
  const at = url.indexOf('?');
  const sent = parseForm(at < 0 ? '' : url.slice(at + 1));
  if (!sent) throw new HttpProblem('invalid-request', 'The query is not valid percent-encoded UTF-8.');
  // A header that is repeated has a comma and a space between its values.
  const idempotencyKey = route.idempotencyKey && (request.headers['idempotency-key'] as string | undefined);
  const body = route.body && readJson(request.body as Buffer | undefined);
  const { query, issues } = readInputs(route, { path, query: sent, idempotencyKey, body });
  if (issues.length > 0) throw invalidRequest(issues);
  return { path, query, body, idempotencyKey };
}
