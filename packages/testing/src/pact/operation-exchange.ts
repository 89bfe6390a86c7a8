import { Cursor, operations, type Operation, type OperationId } from '@hr/schemas';
import { z } from 'zod';
import { checkNames } from '../fixtures/options.ts';
import { exampleTokens } from '../contract/example-tokens.ts';
import { endsOf } from '../contract/matching-rules.ts';
import { matchersOf } from '../contract/matchers/matchers-of.ts';
import { namedIds } from '../contract/record-ids.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { issuesIn } from '../model/leaf.ts';
import { ownNames } from '../model/lists.ts';
import type { Given } from '../states/provider-states.ts';
import {
  JSON_TYPE,
  checkedStates,
  describeExchange,
  headerLike,
  jsonResponse,
  mediaType,
  type Exchange,
  type SentParts,
} from './exchange.ts';
import { absent } from './expectation.ts';
import { causes, problemKindOf, problemResponse, type Cause } from './problems.ts';
import { withRequiredFields } from './required-fields.ts';

/** The expectation of any operation. */
export interface Details {
  readonly request?: SentParts | undefined;
  readonly given?: Given | undefined;
  readonly status?: number | undefined;
  readonly cursor?: boolean | undefined;
  readonly example?: unknown;
  readonly description?: string | undefined;
}

/** The exchange of an operation that succeeds, or that fails for a cause that the kit knows or `given` sets up. */
export function operationExchange(id: OperationId, details: Details): Exchange {
  const { request: sent = {}, status = 200, example, description } = details;
  const kind = status === 200 ? undefined : problemKindOf(id, status);
  const cause: Cause | undefined = kind && causes[kind](sent);
  const states = checkedStates(details.given ?? cause?.states ?? []);
  const token = cause?.token ?? exampleTokens.valid;
  const { request, unsupportedRules } = operationRequest(id, sent, status, token);
  const given = states.map(([name, params]) => ({ name, params }));
  const expected = kind
    ? problemResponse(kind, example)
    : operationResponse(id, details, namedIds(request.path, given));
  return {
    description: description ?? describeExchange(id, status, states),
    states,
    credentials: { token },
    request,
    ...expected,
    unsupportedRules: [...unsupportedRules, ...expected.unsupportedRules],
  };
}

// Consumers often list several types, and Pact compares each with the pattern.
const ACCEPT = String.raw`^(?i:application/(json|problem\+json|\*)|text/plain|\*/\*)\s*(;.*)?$`;

function operationRequest(id: OperationId, sent: SentParts, status: number, token: string) {
  const operation: Operation = operations[id];
  const { path = {}, query = {}, body, idempotencyKey } = sent;
  const known = ['path', 'query', ...(operation.body ? ['body'] : [])];
  checkNames(`${id}: request`, sent, operation.idempotencyKey ? [...known, 'idempotencyKey'] : known);
  const faults = [
    ...faultsOf('path', operation.pathParameters, path),
    ...faultsOf('query', operation.query, query),
    ...(operation.body ? faultsOf('body', operation.body, body) : []),
  ];
  if (status !== 400 && faults.length > 0) {
    throw invalidOption(`${id}: request: invalid for the API: ${faults.join('; ')}. Correct it.`);
  }
  if (status === 400 && faults.length === 0) {
    throw invalidOption(`${id}: request: valid, but the status is 400. Break a rule of the API.`);
  }
  // An invalid body is matched by value.
  const isModelled = operation.body && faults.length === 0;
  const matchers = isModelled ? matchersOf(operation.body, body, 'request') : { content: body, unsupportedRules: [] };
  const hasBody = operation.body && body !== undefined;
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const request = {
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
    query: Object.fromEntries(
      given.map(([name, value]) => {
        const isCursor = name === 'after' && status !== 400;
        return [ownNames[id]?.[name] ?? name, isCursor ? cursorLike(String(value)) : String(value)];
      }),
    ),
    headers: {
      Authorization: headerLike(`Bearer ${token}`, String.raw`^Bearer \S+$`),
      Accept: headerLike(JSON_TYPE, ACCEPT),
      ...(hasBody && { 'Content-Type': mediaType(JSON_TYPE) }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(hasBody && { body: { contentType: JSON_TYPE, content: matchers.content } }),
  };
  return { request, unsupportedRules: matchers.unsupportedRules };
}

function faultsOf(part: string, model: z.ZodType, value: unknown): string[] {
  return issuesIn(model, value).map(({ pointer, detail }) => `${part}${pointer} ${detail}`);
}

/** Any cursor: each HR cloud makes its own. */
function cursorLike(value: string): string {
  return headerLike(value, Cursor.meta()?.['pattern'] as string);
}

function operationResponse(id: OperationId, details: Details, named: ReturnType<typeof namedIds>) {
  const { list, response, delta, cursor: hasCursor }: Operation = operations[id];
  const { request: sent = {}, example } = details;
  const { changedSince, after } = sent.query ?? {};
  if (after !== undefined && !isUnchanged(example)) {
    const fault = `${id}: example: no state can change anything after a cursor`;
    throw invalidOption(`${fault}. Use ${list ? '[]' : '{ changed: [] }'}.`);
  }
  const { cursor = after !== undefined } = details;
  const headers = hasCursor && list && cursor && { 'HR-Cursor': cursorLike('contract-cursor') };
  const ids = pathIds(id, sent);
  // A list of changes has only the fields that changed.
  const model = (list && (changedSince ?? after) !== undefined && delta) || response;
  const literals = Object.entries(ids).map(([name, value]) => [name, z.literal(value)]);
  const element = (model as z.ZodObject).extend(Object.fromEntries(literals));
  const missing = endsOf(example).flatMap(({ path, value }) => (value === absent ? path : []));
  const { filled, added } = withRequiredFields(id, withoutAbsent(example), ids, named);
  const required = missing.find((place) => added.includes(place.replaceAll(/\[\d+\]/g, '[*]')));
  if (required !== undefined) {
    throw invalidOption(`example: ${required} is absent, but @hr/client requires it. Leave it out.`);
  }
  return {
    ...jsonResponse(200, list ? z.array(element) : element, filled, headers || {}),
    ...(missing.length > 0 && { absent: missing }),
    ...(added.length > 0 && { comment: `Added for @hr/client, which requires them: ${added.join(', ')}` }),
  };
}

/** Whether an example has no element and no change. */
function isUnchanged(example: unknown): boolean {
  const changed = Array.isArray(example) ? example : (example as { changed?: unknown[] } | undefined)?.changed;
  return changed === undefined || changed.length === 0;
}

/** An example without the fields that are {@link absent}. */
function withoutAbsent(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(withoutAbsent);
  if (!(example instanceof Object)) return example;
  const members = Object.entries(example).filter(([, value]) => value !== absent);
  return Object.fromEntries(members.map(([name, value]) => [name, withoutAbsent(value)]));
}

/** The ids in the path of a request, by their names in the response, which repeats them. */
export function pathIds(id: OperationId, { path = {} }: SentParts): Readonly<Record<string, string>> {
  const { shape } = operations[id].response as z.ZodObject;
  const ids = Object.entries(path).map(([name, value]) => [name === 'contractId' ? 'payrollContractId' : name, value]);
  return Object.fromEntries(ids.filter(([name = '']) => name in shape)) as Record<string, string>;
}
