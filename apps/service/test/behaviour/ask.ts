import type { HrCloud } from './hr-clouds.ts';

const tokens = {
  valid: (cloud: HrCloud) => cloud.token(),
  'without-scope': (cloud: HrCloud) => cloud.tokenWithoutScope(),
  rejected: () => 'rejected-token',
};
type Token = keyof typeof tokens | 'none';

/** What is asked: method and address, and what differs from a plain request with a valid token. */
export type Ask = string | readonly [methodAndAddress: string, details: AskDetails];

interface AskDetails {
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Added to those that belong to the body and the token; `undefined` leaves one of these out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly token?: Token;
}

/** What a caller can rely on of an answer. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const toldHeaders = new Set([
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

/** Asks for something. What differs from answer to answer is replaced: ids of requests, tokens, and how long to wait for a limit. */
export async function ask(cloud: HrCloud, asked: Ask): Promise<Told> {
  const [methodAndAddress, { body, headers = {}, token = 'valid' }] =
    typeof asked === 'string' ? ([asked, {}] as const) : asked;
  const at = methodAndAddress.indexOf(' ');
  const sent = {
    authorization: await authorization(cloud, token),
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  };
  const response = await fetch(cloud.url + methodAndAddress.slice(at + 1), {
    method: methodAndAddress.slice(0, at),
    headers: Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const id = response.headers.get('x-request-id');
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers]
        .filter(([name]) => toldHeaders.has(name))
        .map(([name, value]) => [name, response.status === TOO_MANY_REQUESTS ? withoutWait(value) : value]),
    ),
    body: text === '' ? text : masked(JSON.parse(withoutWait(text)), id),
  };
}

const TOO_MANY_REQUESTS = 429;

function withoutWait(text: string): string {
  return text.replace(/^\d+$|(?<=Ask again in )\d+|(?<=;t=)\d+/, 'SECONDS');
}

async function authorization(cloud: HrCloud, token: Token): Promise<string | undefined> {
  return token === 'none' ? undefined : `Bearer ${await tokens[token](cloud)}`;
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function masked(body: unknown, requestId: string | null): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { requestId: told, access_token: token, ...others } = body as Record<string, unknown>;
  return {
    ...others,
    // The header tells the same id.
    ...(told !== undefined && { requestId: told === requestId ? 'the one of the header' : told }),
    ...(token !== undefined && { access_token: typeof token }),
  };
}
