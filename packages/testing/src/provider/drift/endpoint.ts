import {
  INTROSPECTION_PATH,
  IntrospectionResponse,
  Problem,
  REVOCATION_PATH,
  TOKEN_PATH,
  TokenError,
  TokenQuery,
  TokenRequest,
  TokenResponse,
  wireNames,
} from '@hr/schemas';
import type { Operation } from '@hr/schemas';
import { z } from 'zod';

/** What can be asked at a path with a method, and what is answered. */
export interface Endpoint {
  readonly name: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly pathParameters: z.ZodObject;
  readonly query: z.ZodObject;
  /** Name of a query parameter in the URL, by its name in {@link query}. */
  readonly queryNames: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /** Whether it asks for a bearer token. */
  readonly needsToken: boolean;
  /** The model of an answer; nothing where it has no body. */
  response(status: number, query: ReadonlySet<string>): z.ZodType | undefined;
}

/** All that an API answers: the operations of its table, and the forms of OAuth beside it. */
export function endpointsOf(operations: Readonly<Record<string, Operation>>): readonly Endpoint[] {
  return [...Object.entries(operations).map(([id, operation]) => endpointOf(id, operation)), ...forms];
}

function endpointOf(id: string, { method, path, pathParameters, query, body, ...operation }: Operation): Endpoint {
  return {
    name: id,
    method,
    path,
    pathParameters,
    query,
    queryNames: Object.hasOwn(wireNames, id) ? wireNames[id as keyof typeof wireNames] : {},
    ...(body && { body }),
    needsToken: true,
    response(status, given) {
      if (status >= 400) return Problem;
      const { response, delta, list } = operation;
      const element = delta && given.has('changedSince') ? delta : response;
      return list ? z.array(element) : element;
    },
  };
}

const none = z.strictObject({});

const forms = [
  form('requestToken', TOKEN_PATH, TokenRequest, TokenResponse),
  form('revokeToken', REVOCATION_PATH, TokenQuery, undefined),
  form('introspectToken', INTROSPECTION_PATH, TokenQuery, IntrospectionResponse),
];

function form(name: string, path: string, body: z.ZodType, done: z.ZodType | undefined): Endpoint {
  return {
    name,
    method: 'POST',
    path,
    pathParameters: none,
    query: none,
    queryNames: {},
    body,
    needsToken: false,
    response: (status) => (status < 400 ? done : status <= 401 ? TokenError : Problem),
  };
}
