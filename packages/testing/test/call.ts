import type { RunningFakeHrCloud } from '@hr/testing/fake';

export const bearer = { authorization: 'Bearer contract-token' };

interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Calls the fake over HTTP, with a valid token unless `headers` bring another. */
export async function call(
  { url }: Pick<RunningFakeHrCloud, 'url'>,
  methodAndPath: string,
  { body, headers = {} }: CallOptions = {},
): Promise<Called> {
  const [method = '', path = ''] = methodAndPath.split(' ');
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url + path, {
    method,
    headers: { ...bearer, ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
}

/** Asks for a token with the fake's own credentials. */
export function requestToken(
  { url }: Pick<RunningFakeHrCloud, 'url'>,
  form: Record<string, string> = {},
): Promise<Response> {
  const fields = { grant_type: 'client_credentials', client_id: 'fake-client', client_secret: 'fake-secret', ...form };
  return fetch(`${url}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) });
}
