import {
  checkIdempotencyKey,
  checkPart,
  endpoints,
  type Body,
  type Issue,
  type OperationId,
  type PathParameters,
  type Query,
} from '@hr/schemas/checks';
import type { Call } from './call.ts';
import type { HrClientSettings } from './hr-client-settings.ts';
import type { HrError } from './hr-error.ts';
import { ownProblem, placesOf } from './hr-problem.ts';

/** The arguments of an operation. */
export interface CallInput<Id extends OperationId> {
  readonly path?: PathParameters<Id> | undefined;
  readonly query?: Query<Id> | undefined;
  /** Query parameters that this call requires, but the operation does not. */
  readonly required?: readonly (keyof Query<Id> & string)[];
  /** Query parameters that are checked but not sent. */
  readonly unsent?: readonly (keyof Query<Id> & string)[];
  readonly body?: Body<Id> | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The input of an operation, with the names of the operation table. */
export type RequestInput<Id extends OperationId> = InputPart<'path', PathParameters<Id>> &
  InputPart<'query', Query<Id>> &
  (Body<Id> extends undefined ? { readonly body?: undefined } : { readonly body: Body<Id> }) &
  ((typeof endpoints)[Id] extends { readonly idempotencyKey: true }
    ? { readonly idempotencyKey?: string | undefined }
    : { readonly idempotencyKey?: undefined });

/** Parameters, which may be missing if all of them are optional. */
type InputPart<Name extends string, Parameters> =
  Partial<Parameters> extends Parameters | Record<string, undefined>
    ? { readonly [Part in Name]?: Parameters | undefined }
    : { readonly [Part in Name]: Parameters };

/** A valid request, which can be sent several times. */
export interface CheckedRequest {
  readonly method: Endpoint['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Endpoint = (typeof endpoints)[OperationId];

/** What messages call the body of each operation that has one. */
const bodies: { readonly [Id in OperationId as Body<Id> extends undefined ? never : Id]: string } = {
  updatePerson: 'the patch',
  submitVariablePayment: 'the payment',
  createWebhookEndpoint: 'the endpoint',
};

/**
 * Makes the request of an operation from its entry in the operation table.
 *
 * @throws {HrError} `invalid-request`, with a pointer to each wrong argument.
 */
export function checkedRequest<Id extends OperationId>(
  settings: HrClientSettings,
  call: Call,
  { path, query, required = [], unsent = [], body, idempotencyKey }: CallInput<Id>,
): CheckedRequest {
  const { method, path: template } = endpoints[call.operation];
  const issues: (Issue & { readonly whole?: string })[] = [];
  const checked = (whole: string, part: 'path' | 'query' | 'body', value: unknown): Record<string, string> => {
    const { copy, issues: found } = checkPart(call.operation, part, value);
    for (const issue of found) issues.push({ whole, ...issue });
    return (copy ?? {}) as Record<string, string>;
  };

  const parameters = checked('the id', 'path', path ?? {});
  issues.push(...dotSegmentIssues(parameters));
  const search = checked('the query', 'query', query ?? {});
  for (const name of required) {
    if (query?.[name] === undefined) issues.push({ pointer: `/${name}`, code: 'required', detail: 'is required' });
  }
  const whole = Object.hasOwn(bodies, call.operation) ? bodies[call.operation as keyof typeof bodies] : undefined;
  const content = whole === undefined ? undefined : checked(whole, 'body', body);
  for (const issue of idempotencyKey === undefined ? [] : checkIdempotencyKey(idempotencyKey)) {
    issues.push({ ...issue, pointer: '/idempotencyKey' });
  }
  if (issues.length > 0) throw invalidRequest(call, issues);

  for (const name of unsent) delete search[name];
  return {
    method,
    url: settings.baseUrl + pathOf(template, parameters) + searchOf(settings.wireNames.get(call.operation), search),
    headers: {
      ...settings.headers,
      accept: 'application/json',
      ...(content && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(content && { body: JSON.stringify(content) }),
  };
}

/** The parameters that URL parsers resolve as path segments, even if percent-encoded. */
export function dotSegmentIssues(parameters: Readonly<Record<string, unknown>>): Issue[] {
  const detail = 'must not be "." or "..": a URL drops such a part of its path';
  return Object.entries(parameters)
    .filter(([, value]) => value === '.' || value === '..')
    .map(([name]) => ({ pointer: `/${name}`, code: 'not-allowed', detail }));
}

/** Puts the parameters into a path such as `/persons/{id}`. */
function pathOf(template: string, parameters: Readonly<Record<string, string>>): string {
  let path = template;
  for (const [name, value] of Object.entries(parameters)) path = path.replace(`{${name}}`, encodeURIComponent(value));
  return path;
}

function searchOf(names: ReadonlyMap<string, string> | undefined, query: Readonly<Record<string, string>>): string {
  const search: [name: string, value: string][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.push([names?.get(name) ?? name, value]);
  }
  return search.length > 0 ? `?${new URLSearchParams(search).toString()}` : '';
}

function invalidRequest(call: Call, issues: readonly (Issue & { readonly whole?: string })[]): HrError {
  const sentences = issues.map(({ pointer, detail, whole }) => `${pointer || whole} ${detail}`);
  return call.error('invalid-request', sentences.join('; '), {
    problem: ownProblem('invalid-request', placesOf(issues)),
  });
}
