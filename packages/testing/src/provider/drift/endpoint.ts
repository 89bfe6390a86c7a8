import {
  INTROSPECTION_PATH,
  IntrospectionResponse,
  operations,
  Problem,
  REVOCATION_PATH,
  TOKEN_PATH,
  TokenError,
  TokenQuery,
  TokenRequest,
  TokenResponse,
  type Operation,
} from '@hr/schemas';
import { openApiDocument } from '@hr/schemas/openapi';
import { z } from 'zod';
import { decoded } from '../../contract/record-ids.ts';
import { ownNames } from '../../model/lists.ts';

type Endpoint = Pick<Operation, 'method' | 'pathParameters' | 'query' | 'body' | 'delta' | 'list'> & {
  readonly path: string;
  readonly response?: z.ZodType;
};

/** The endpoint of a request, with the values of its path parameters. */
export interface Target extends Endpoint {
  readonly name: string;
  /** Whether it is an OAuth endpoint. Those are not operations. */
  readonly isOAuth: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** Name of a query parameter in the URL, by its name in the operation table. */
  readonly queryNames: Readonly<Record<string, string>>;
}

const none = z.strictObject({});
const form = { method: 'POST', pathParameters: none, query: none, list: false } as const;
const endpoints: Readonly<Record<string, Endpoint>> = {
  ...operations,
  requestToken: { ...form, path: TOKEN_PATH, body: TokenRequest, response: TokenResponse },
  revokeToken: { ...form, path: REVOCATION_PATH, body: TokenQuery },
  introspectToken: { ...form, path: INTROSPECTION_PATH, body: TokenQuery, response: IntrospectionResponse },
};

/** The endpoint of a request; an error sentence if the API has none. */
export function findEndpoint(method: string, path: string): Target | string {
  const targets = Object.entries(endpoints).flatMap(([name, endpoint]): Target[] => {
    const parameters = parametersOf(endpoint.path, path);
    const queryNames = ownNames[name] ?? {};
    return parameters ? [{ ...endpoint, name, isOAuth: !Object.hasOwn(operations, name), parameters, queryNames }] : [];
  });
  if (targets.length === 0) return 'the API has no such path. Correct it.';
  const found = targets.find((target) => target.method === method.toUpperCase());
  return found ?? `the path accepts ${targets.map((target) => target.method).join(', ')}.`;
}

function parametersOf(template: string, path: string): Record<string, string> | undefined {
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)');
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match
    ? Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]))
    : undefined;
}

/** The model of a response's body; `undefined` without one. */
export function responseModel({ response, delta, list, isOAuth }: Target, status: number, isDelta: boolean) {
  if (status >= 400) return isOAuth && status <= 401 ? TokenError : Problem;
  const element = delta && isDelta ? delta : response;
  return list && element ? z.array(element) : element;
}

/** An operation in the OpenAPI document. Only its problems are references. */
interface Documented {
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

let paths: Readonly<Record<string, Readonly<Record<string, Documented>>>> | undefined;

/** The media types of requests, and of responses by status, from the OpenAPI document. */
export function documentedTypes({ path, method }: Target) {
  paths ??= openApiDocument().paths as NonNullable<typeof paths>;
  const { requestBody, responses = {} } = paths[path]?.[method.toLowerCase()] ?? {};
  const byStatus = Object.entries(responses).map(([status, { $ref, content = {} }]) => {
    return [status, $ref === undefined ? Object.keys(content) : ['application/problem+json']] as const;
  });
  return { requestTypes: Object.keys(requestBody?.content ?? {}), responseTypes: new Map(byStatus) };
}
