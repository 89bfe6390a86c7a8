import { Cursor } from '@hr/schemas';
import { z } from 'zod';
import { exampleTokens } from '../contract/example-tokens.ts';
import { jsonOf } from '../contract/pact.ts';
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
  /** The last cursor that it sent. It replaces `{cursor}` in addresses. */
  cursor?: string | undefined;
}

/** What a cursor replaces in an address. */
export const CURSOR = '{cursor}';

const keptHeaders = new Set([
  'allow',
  'cache-control',
  'content-type',
  'hr-cursor',
  'pragma',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-content-type-options',
]);

const TOO_MANY_REQUESTS = 429;

const instants = new Set(['decidedAt', 'createdAt', 'sentAt']);
/** Of attempts to send to a webhook endpoint. */
const ofAttempts = new Set(['messageId', 'failure', 'durationMs']);
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Sends a request of a behaviour case. In the result, a placeholder replaces what differs from response to response: ids
 * of requests and messages, tokens, secrets, cursors, instants, and how long to wait for a rate limit.
 *
 * @throws {TypeError} without a complete response.
 */
export async function sendCaseRequest(target: CaseTarget, request: CaseRequest): Promise<CaseResponse> {
  const { method, address, body, headers = {}, token = 'valid' } = partsOf(request, target.cursor);
  const tokens = {
    valid: () => target.token(),
    'without-scope': () => target.tokenWithoutScope(),
    rejected: () => exampleTokens.rejected,
    none: () => undefined,
  };
  const bearer = await tokens[token]();
  const sent = {
    authorization: bearer && `Bearer ${bearer}`,
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  };
  const response = await fetch(target.url + address, {
    method,
    redirect: 'manual',
    headers: Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const received = { status: response.status, headers: response.headers, text: await response.text() };
  target.cursor = cursorIn(received) ?? target.cursor;
  return caseResponse(received);
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The cursor of a response. */
export function cursorIn({ headers, text }: Received): string | undefined {
  return headers.get('hr-cursor') ?? (jsonOf(text) as { cursor?: string } | undefined)?.cursor;
}

/** The part of a response that cases describe. */
export function caseResponse({ status, headers, text }: Received): CaseResponse {
  return {
    status,
    headers: Object.fromEntries(
      [...headers]
        .filter(([name]) => keptHeaders.has(name))
        .map(([name, value]) => {
          if (name === 'hr-cursor') return [name, withoutCursor(value)];
          return [name, status === TOO_MANY_REQUESTS ? withoutWait(value) : value];
        }),
    ),
    body: parsed(withoutWait(text), headers.get('x-request-id')),
  };
}

/** The parts of a request, with its details and a cursor. */
export function partsOf(
  request: CaseRequest,
  cursor = CURSOR,
): CaseRequestDetails & { readonly method: string; readonly address: string } {
  const [methodAndAddress, details] = typeof request === 'string' ? [request, {}] : request;
  const at = methodAndAddress.indexOf(' ');
  return {
    method: methodAndAddress.slice(0, at),
    address: methodAndAddress.slice(at + 1).replace(CURSOR, cursor),
    ...details,
  };
}

/** JSON with placeholders, or text. */
function parsed(text: string, requestId: string | null): unknown {
  try {
    return JSON.parse(text, function replaced(this: object, name: string, value: unknown) {
      if (name === 'access_token') return typeof value;
      if (instants.has(name)) return isInstant(value) ? 'an instant' : value;
      if (name === 'secret') return /^whsec_[\w+/]+=*$/.test(String(value)) ? 'a secret' : value;
      if (name === 'id' && 'createdAt' in this) return UUID.test(String(value)) ? 'a UUID' : value;
      if (ofAttempts.has(name)) return typeof value;
      if (name === 'cursor') return withoutCursor(value);
      return name === 'requestId' && value === requestId ? 'that of the header' : value;
    });
  } catch {
    return text;
  }
}

function isInstant(value: unknown): boolean {
  return z.iso.datetime({ offset: true }).safeParse(value).success;
}

function withoutCursor<Value>(value: Value): Value | string {
  return Cursor.safeParse(value).success ? 'a cursor' : value;
}

function withoutWait(text: string): string {
  return text.replace(/^\d+$|(?<=Ask again in )\d+|(?<=;t=)\d+/, 'SECONDS');
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
