import { API_SCOPE, Identifier, type TokenResponse } from '@hr/schemas';
import * as provider from '@hr/schemas/provider';
import { fail, rateLimitUsedUp } from './failures.ts';
import { handleOperation } from './operations.ts';
import { recordOf } from './recorded-requests.ts';
import { findRoute, type FakeOperation } from './routes.ts';
import type { Store } from './store.ts';
import { readerOf } from './webhooks.ts';

const TOKEN_LIFETIME_SECONDS = 3600;

/** What a path names, by its parameter. By default it is a person. */
const namesOfIds: Readonly<Record<string, string>> = { contractId: 'payroll contract', endpointId: 'webhook endpoint' };

/** Handles a request and records it. `Response.error()` represents a broken connection. */
export async function handleRequest(store: Store, request: Request, nextId: string): Promise<Response> {
  const { method, headers, signal } = request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { pathname: path } = new URL(request.url);
  const requestId = provider.acceptedRequestId(headers.get('x-request-id')) ?? nextId;
  const place = { instance: path, requestId };
  let operation: FakeOperation | undefined;

  const response = await respond(place, () => {
    const route = findRoute(method, path);
    operation = route.id;
    const failure = store.failures.get(route.id)?.shift();
    const headersOf200 = { 'content-type': 'application/json' };
    const succeed = (): Promise<Response> =>
      respond(place, async () => {
        const { body, cursor } = await handle(store, route, request, bytes);
        return jsonResponse(requestId, 200, body, { ...headersOf200, ...(cursor && { 'hr-cursor': cursor }) });
      });
    const endToken = (): void => {
      const grant = store.tokens.get(provider.bearerToken(headers.get('authorization')));
      // Tokens of contracts do not expire.
      if (grant && grant.expiresAt < Number.POSITIVE_INFINITY) grant.expiresAt = Number.NEGATIVE_INFINITY;
    };
    return failure === undefined ? succeed() : fail(failure, { operation: route.id, signal, succeed, endToken });
  });

  const isBroken = response.type === 'error';
  if (operation === 'requestToken' && !isBroken) response.headers.set('pragma', 'no-cache');
  store.requests.add(recordOf(request, bytes, { operation, status: isBroken ? undefined : response.status }));
  return response;
}

/** Turns an error into its response. It rethrows unexpected errors, which are faults of the fake. */
async function respond(place: provider.ErrorPlace, act: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof provider.HttpError)) throw error;
    const headers = { 'content-type': error.contentType, ...error.headers };
    return jsonResponse(place.requestId, error.status, error.body(place), headers);
  }
}

function jsonResponse(id: string, status: number, json: object, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(json), {
    status,
    headers: { ...provider.responseHeaders(id), ...headers },
  });
}

/** Checks a request in the order of the service, and handles it. */
async function handle(
  store: Store,
  route: ReturnType<typeof findRoute>,
  request: Request,
  body: Uint8Array,
): Promise<{ readonly body: object; readonly cursor?: string | false | undefined }> {
  const { id, operation, path } = route;
  const { url, headers, signal } = request;
  if (!operation) return { body: issueToken(store, headers, body) };
  const token = provider.bearerToken(headers.get('authorization'));
  if (store.isUnavailable) throw provider.problems.unavailable();
  const grant = store.tokens.get(token);
  if (!grant || grant.expiresAt <= store.clock() || !store.clients.has(grant.clientId)) throw provider.invalidToken();
  if (grant.scope !== API_SCOPE) throw provider.insufficientScope(API_SCOPE);
  const reader = readerOf(store, grant.clientId);
  const { grants } = reader;
  provider.checkOperation(grants, id);
  checkRateLimit(store, id);
  provider.checkAccept(headers.get('accept'));
  provider.checkMediaType(operation.body, {
    contentType: headers.get('content-type'),
    contentEncoding: headers.get('content-encoding'),
    hasBody: body.length > 0,
  });
  if (body.length > provider.MAX_BODY_BYTES) throw provider.problems.contentTooLarge();
  const query = new URL(url).search.slice(1);
  const sent = { path, query, idempotencyKey: headers.get('idempotency-key'), body };
  const inputs = provider.checkInputs(operation, sent);
  const [ifMatch, ifNoneMatch] = [headers.get('if-match'), headers.get('if-none-match')];
  provider.checkPreconditions(operation.body, { ifMatch, ifNoneMatch });
  if (operation.timeComponent) provider.checkTimeComponent(store.timeComponentVersion);
  const cursor = store.changes.cursorFor(reader);
  const response = await handleOperation(id, { ...inputs, ...reader, store, signal });
  if (!response) throw provider.problems.unknownId(namesOfIds[Object.keys(path)[0] ?? ''] ?? 'person');
  return { body: response, cursor: operation.list && operation.cursor && cursor };
}

function checkRateLimit({ clock, rateLimitedUntil }: Store, operation: FakeOperation): void {
  const secondsLeft = Math.ceil((rateLimitedUntil - clock()) / 1000);
  if (secondsLeft > 0) throw rateLimitUsedUp(operation, secondsLeft);
}

/** The client-credentials grant (section 5, RFC 6749). */
function issueToken(store: Store, headers: Headers, bytes: Uint8Array): TokenResponse {
  provider.checkAccept(headers.get('accept'));
  if (bytes.length > provider.MAX_FORM_BYTES) throw provider.problems.contentTooLarge();
  const form = provider.readForm(headers.get('content-type'), bytes);
  provider.checkGrantType(form);
  const { clientId = '', clientSecret } = provider.readCredentials(headers.get('authorization'), form);
  if (store.isUnavailable) throw provider.problems.unavailable();
  const client = Identifier.safeParse(clientId).success ? store.clients.get(clientId) : undefined;
  if (!client || client.clientSecret !== clientSecret) throw provider.invalidClient();
  checkRateLimit(store, 'requestToken');
  const { scope } = client;
  provider.checkRequestedScope(form, [scope]);
  const token = `fake-token-${store.tokens.size}`;
  store.tokens.set(token, { clientId, scope, expiresAt: store.clock() + TOKEN_LIFETIME_SECONDS * 1000 });
  return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS, scope };
}
