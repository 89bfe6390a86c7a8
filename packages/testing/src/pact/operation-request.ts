import { issuesOf, operations, wireNames } from '@hr/schemas';
import type { Issue, Operation, OperationId } from '@hr/schemas';
import type { z } from 'zod';
import { HrTestingError } from '../hr-testing-error.ts';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { BodyExample, ExpectedRequest, HeaderExample } from './exchange.ts';
import { notExpressedOf } from '../contract/matchers/not-expressed.ts';
import type { NotExpressed } from '../contract/matchers/not-expressed.ts';
import { matchersOf } from '../contract/matchers/matchers-of.ts';

/** What a consumer sends, whatever the operation. */
export interface SentParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

// A consumer that reads JSON often names what else it would take; Pact compares each of them with the pattern.
const accept = {
  value: 'application/json',
  pattern: String.raw`^(application/(json|problem\+json|\*)|text/plain|\*/\*)\s*(;.*)?$`,
};
const JSON_TYPE = 'application/json';
export const jsonType = { value: JSON_TYPE, pattern: '^application/json\\s*(;.*)?$' };

/**
 * The request of an operation, as a contract holds it.
 *
 * @throws {HrTestingError} `invalid-option` where the operation takes no such request, or takes it though it is to be
 * answered 400.
 */
export function operationRequest(
  id: OperationId,
  sent: SentParts,
  status: number,
  token: ExampleToken,
): { request: ExpectedRequest; notExpressed: readonly NotExpressed[] } {
  const operation: Operation = operations[id];
  const faults = requestFaults(operation, sent);
  if (status !== 400 && faults.length > 0) {
    throw new HrTestingError('invalid-option', `${id}: the request is none that it takes: ${faults.join('; ')}.`);
  }
  if (status === 400 && faults.length === 0) {
    throw new HrTestingError('invalid-option', `${id}: the request is valid, so that it is not answered 400.`);
  }
  const { body, notExpressed } = bodyOf(operation, sent, faults.length === 0);
  const headers: Record<string, HeaderExample> = {
    Authorization: { value: `Bearer ${token}`, pattern: String.raw`^Bearer \S+$` },
    Accept: accept,
    ...(body && { 'Content-Type': jsonType }),
    ...(sent.idempotencyKey !== undefined && { 'Idempotency-Key': sent.idempotencyKey }),
  };
  const { path = {} } = sent;
  const request = {
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
    query: queryOf(id, sent),
    headers,
    ...(body && { body }),
  };
  return { request, notExpressed };
}

function requestFaults({ pathParameters, query, body }: Operation, sent: SentParts): string[] {
  return [
    ...faultsOf('path', pathParameters, sent.path ?? {}),
    ...faultsOf('query', query, sent.query ?? {}),
    ...(body ? faultsOf('body', body, sent.body) : []),
  ];
}

function faultsOf(place: string, model: z.ZodType, value: unknown): string[] {
  const { error } = model.safeParse(value);
  return error ? issuesOf(error, value).map(({ pointer, detail }: Issue) => `${place}${pointer} ${detail}`) : [];
}

function queryOf(id: OperationId, { query = {} }: SentParts): Record<string, string> {
  const names: Readonly<Record<string, string>> = Object.hasOwn(wireNames, id) ? wireNames[id as never] : {};
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [names[name] ?? name, String(value)]));
}

function bodyOf(
  { body: model }: Operation,
  { body }: SentParts,
  isValid: boolean,
): { body?: BodyExample; notExpressed: readonly NotExpressed[] } {
  if (!model) return { notExpressed: [] };
  // What is not of the model is held exactly as it is.
  if (!isValid) return { body: { contentType: JSON_TYPE, content: body }, notExpressed: [] };
  const { content, notExpressed } = matchersOf(model, body);
  return { body: { contentType: JSON_TYPE, content }, notExpressed: notExpressedOf('request', notExpressed) };
}
