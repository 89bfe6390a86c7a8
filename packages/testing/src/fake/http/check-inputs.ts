import { wireNames } from '@hr/schemas';
import type { Operation } from '@hr/schemas';
import { parseForm, readInputs } from '@hr/schemas/rules';
import { HttpProblem, invalidRequest } from './http-problem.ts';
import type { OperationRoute } from './find-route.ts';
import { readJson } from './read-json.ts';
import type { ReceivedRequest } from './received-request.ts';

/** A request whose inputs have been checked. */
interface Inputs {
  readonly path: unknown;
  readonly query: unknown;
  /** The parsed JSON, exactly as sent. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
}

/**
 * Checks what a request brings against the operation table.
 *
 * @throws {HttpProblem} that tells everything that is wrong.
 */
export function checkInputs(operation: Operation, route: OperationRoute, request: ReceivedRequest): Inputs {
  const { path } = route;
  const sent = parseForm(request.query);
  if (!sent) throw new HttpProblem('invalid-request', 'The query is not valid percent-encoded UTF-8.');
  const idempotencyKey = (operation.idempotencyKey && request.headers.get('idempotency-key')) ?? undefined;
  const body = operation.body && readJson(request.bytes);
  const names = (wireNames as Readonly<Record<string, Readonly<Record<string, string>>>>)[route.operation] ?? {};
  const inputs = { path, query: sent, idempotencyKey, body };
  const { query, issues } = readInputs({ ...operation, wireNames: names }, inputs);
  if (issues.length > 0) throw invalidRequest(issues);
  return { ...inputs, query };
}
