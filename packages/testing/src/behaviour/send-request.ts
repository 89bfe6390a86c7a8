import { exampleTokens } from '../contract/example-tokens.ts';
import type { CaseRequest, CaseRequestDetails, CaseResponse } from './behaviour-case.ts';

/**
 * The HR cloud that receives the requests of behaviour cases.
 *
 * @sealed
 */
export interface CaseTarget {
  readonly url: string;
  /** A valid token with the scope `api:use`. */
  readonly token: () => string | Promise<string>;
  /** A valid token without that scope. */
  readonly tokenWithoutScope: () => string | Promise<string>;
}

const keptHeaders = new Set([
  'allow',
  'cache-control',
  'content-type',
  'pragma',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-content-type-options',
]);

const TOO_MANY_REQUESTS = 429;

/**
 * Sends a request of a behaviour case. In the result, a placeholder replaces what differs from response to response: ids
 * of requests, tokens, and how long to wait for a rate limit.
 *
 * @throws {TypeError} without a complete response.
 */
export async function sendCaseRequest(target: CaseTarget, request: CaseRequest): Promise<CaseResponse> {
  const { method, address, body, headers = {}, token = 'valid' } = partsOf(request);
  const sent = {
    authorization: await authorization(target, token),
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  };
  const response = await fetch(target.url + address, {
    method,
    redirect: 'manual',
    headers: Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  return caseResponse({ status: response.status, headers: response.headers, text: await response.text() });
}

/** The part of a response that cases describe. */
export function caseResponse({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Headers;
  text: string;
}): CaseResponse {
  return {
    status,
    headers: Object.fromEntries(
      [...headers]
        .filter(([name]) => keptHeaders.has(name))
        .map(([name, value]) => [name, status === TOO_MANY_REQUESTS ? withoutWait(value) : value]),
    ),
    body: masked(jsonOf(withoutWait(text)), headers.get('x-request-id')),
  };
}

/** The parts of a request, with its details. */
export function partsOf(
  request: CaseRequest,
): CaseRequestDetails & { readonly method: string; readonly address: string } {
  const [methodAndAddress, details] = typeof request === 'string' ? [request, {}] : request;
  const at = methodAndAddress.indexOf(' ');
  return { method: methodAndAddress.slice(0, at), address: methodAndAddress.slice(at + 1), ...details };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutWait(text: string): string {
  return text.replace(/^\d+$|(?<=Ask again in )\d+|(?<=;t=)\d+/, 'SECONDS');
}

async function authorization(
  target: CaseTarget,
  token: NonNullable<CaseRequestDetails['token']>,
): Promise<string | undefined> {
  const sources = {
    valid: () => target.token(),
    'without-scope': () => target.tokenWithoutScope(),
    rejected: () => exampleTokens.rejected,
  };
  return token === 'none' ? undefined : `Bearer ${await sources[token]()}`;
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function masked(body: unknown, requestId: string | null): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { requestId: own, access_token: token, ...others } = body as Record<string, unknown>;
  return {
    ...others,
    ...(own !== undefined && { requestId: own === requestId ? 'that of the header' : own }),
    ...(token !== undefined && { access_token: typeof token }),
  };
}
