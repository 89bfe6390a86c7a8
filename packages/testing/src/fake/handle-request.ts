import { API_SCOPE, Identifier } from '@hr/schemas';
import type { TokenResponse } from '@hr/schemas';
import {
  acceptedRequestId,
  checkAccept,
  checkGrantType,
  checkInputs,
  checkMediaType,
  checkRequestedScope,
  checkTimeComponent,
  HttpError,
  insufficientScope,
  invalidClient,
  MAX_BODY_BYTES,
  MAX_FORM_BYTES,
  problems,
  readCredentials,
  readForm,
  safetyHeaders,
} from '@hr/schemas/provider';
import { fail } from './fail.ts';
import type { Failures } from './failures.ts';
import { handleOperation } from './operations.ts';
import { checkRateLimit } from './rate-limit.ts';
import { recordOf } from './recorded-requests.ts';
import type { ReceivedRequest, RecordedRequests } from './recorded-requests.ts';
import { findRoute } from './routes.ts';
import type { FoundRoute } from './routes.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';

interface Context {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly failures: Failures;
  readonly requests: RecordedRequests;
  /** The id of a request that has none. */
  readonly requestId: string;
}

/** Handles a request and records it. `Response.error()` stands for a broken connection. */
export async function handleRequest(sent: Request, context: Context): Promise<Response> {
  const { pathname, search } = new URL(sent.url);
  const { method, headers } = sent;
  const request = {
    id: acceptedRequestId(headers.get('x-request-id')) ?? context.requestId,
    method,
    path: pathname,
    query: search.slice(1),
    headers,
    bytes: new Uint8Array(await sent.arrayBuffer()),
  };
  let route: FoundRoute | undefined;
  let response: Response;
  try {
    const found = (route = findRoute(request));
    const failure = context.failures.take(found.id);
    const succeed = (): Response => respond(found, request, context);
    const endToken = (): void => context.tokens.end(headers.get('authorization'));
    const failing = { operation: found.id, signal: sent.signal, endToken, succeed };
    response = failure === undefined ? succeed() : await fail(failure, failing);
  } catch (error) {
    response = errorResponse(error, request);
  }
  const isBroken = response.type === 'error';
  if (route?.id === 'requestToken' && !isBroken) response.headers.set('pragma', 'no-cache');
  context.requests.add(recordOf(request, route?.id, isBroken ? undefined : response.status));
  return response;
}

function respond(route: FoundRoute, request: ReceivedRequest, { store, tokens }: Context): Response {
  try {
    const body = route.operation
      ? respondToOperation(route, route.operation, request, store, tokens)
      : issueToken(request, store, tokens);
    return jsonResponse(request, 200, body, { 'content-type': 'application/json' });
  } catch (error) {
    return errorResponse(error, request);
  }
}

/** An unexpected error is thrown on: it is a fault of the fake. */
function errorResponse(error: unknown, request: ReceivedRequest): Response {
  if (!(error instanceof HttpError)) throw error;
  const body = error.body({ instance: request.path, requestId: request.id });
  return jsonResponse(request, error.status, body, { 'content-type': error.contentType, ...error.headers });
}

function jsonResponse(
  { id }: ReceivedRequest,
  status: number,
  body: object,
  headers: Record<string, string>,
): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...safetyHeaders, 'x-request-id': id, ...headers } });
}

/** Checks a request in the order of the service, and handles it. */
function respondToOperation(
  route: FoundRoute,
  operation: NonNullable<FoundRoute['operation']>,
  { headers, bytes, query }: ReceivedRequest,
  store: Store,
  tokens: Tokens,
): object {
  const grant = tokens.grantOf(store, headers.get('authorization'));
  if (grant.scope !== API_SCOPE) throw insufficientScope(API_SCOPE);
  checkRateLimit(store, 'client');
  checkAccept(headers.get('accept'));
  checkMediaType(operation.body, {
    contentType: headers.get('content-type'),
    contentEncoding: headers.get('content-encoding'),
    hasBody: bytes.length > 0,
  });
  if (bytes.length > MAX_BODY_BYTES) throw problems.contentTooLarge();
  const sent = { path: route.path, query, idempotencyKey: headers.get('idempotency-key'), body: bytes };
  const inputs = checkInputs(operation, sent);
  if (operation.timeComponent) checkTimeComponent(store.timeComponentVersion);
  const response = handleOperation(route.id, { ...inputs, store, clientId: grant.clientId });
  if (!response) throw problems.unknownId('contractId' in route.path ? 'payroll contract' : 'person');
  return response;
}

/** The client-credentials grant (section 5, RFC 6749). */
function issueToken({ headers, bytes }: ReceivedRequest, store: Store, tokens: Tokens): TokenResponse {
  checkAccept(headers.get('accept'));
  if (bytes.length > MAX_FORM_BYTES) throw problems.contentTooLarge();
  const form = readForm(headers.get('content-type'), bytes);
  checkGrantType(form);
  const { clientId = '', clientSecret } = readCredentials(headers.get('authorization'), form);
  if (store.isUnavailable) throw problems.unavailable();
  const client = Identifier.safeParse(clientId).success ? store.clients.get(clientId) : undefined;
  if (!client || client.clientSecret !== clientSecret) throw invalidClient();
  checkRateLimit(store, 'oauth');
  checkRequestedScope(form, client.scope);
  return tokens.issue(store, client);
}
