import { request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { sessionCookie } from '../src/backend/sessions.ts';
import type { TestConsole } from './start-test-console.ts';

interface RawRequest {
  readonly method?: string;
  /** Added to those that a page of the console sends. `undefined` leaves one out. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** If it is not that of the origin. */
  readonly port?: string;
}

interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with any path and any headers, which `fetch` would change. */
export async function sendRaw(
  server: TestConsole,
  path: string,
  { method = 'GET', headers, body, port = new URL(server.origin()).port }: RawRequest = {},
): Promise<RawResponse> {
  const origin = server.origin();
  const { host } = new URL(origin);
  const given = { host, origin, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: set, agent: false }, resolve);
    sent.once('error', reject);
    sent.end(body);
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Signs a person in, and returns the cookie of the session. */
export function cookieOf(server: TestConsole, user?: Parameters<TestConsole['link']>[0]): string {
  const [, code = ''] = server.link(user).split('#');
  return `${sessionCookie(server.config).name}=${server.records.signIn(code)?.token}`;
}
