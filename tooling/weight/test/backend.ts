import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientCredentials } from '@hr/auth';
import type { TokenProvider } from '@hr/auth';
import { passOn } from './pass-on.ts';

/** Where the service is, and as whom the backend speaks to it. */
export interface Service {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The backend of a page. */
export interface Backend extends AsyncDisposable {
  readonly url: string;
  /** How often the page has asked for a token. */
  readonly tokenCount: () => number;
  /** From now on no more than the first piece of an answer goes on to the page; resolves when the page has left one. */
  holdBack(): Promise<void>;
}

/** Starts a backend that serves the page, hands out tokens and passes the API on, all at one origin. The secret stays in it. */
export async function startBackend(service: Service, files: ReadonlyMap<string, string>): Promise<Backend> {
  const { url: baseUrl, clientId, clientSecret } = service;
  const auth = clientCredentials({ baseUrl, clientId, clientSecret });
  let onLeft: (() => void) | undefined;
  let tokens = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', baseUrl);
    if (pathname.startsWith('/api/v1/')) passOn(baseUrl, request, response, onLeft);
    else if (pathname === '/session/token') {
      tokens += 1;
      void answerToken(auth, response);
    } else answerFile(files.get(pathname === '/' ? 'index.html' : pathname.slice(1)), pathname, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenCount: () => tokens,
    holdBack: () =>
      new Promise((resolve) => {
        onLeft = resolve;
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerToken(auth: TokenProvider, response: ServerResponse): Promise<void> {
  const { value, expiresAt } = await auth.getToken();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ value, expiresAt }));
}

function answerFile(file: string | undefined, path: string, response: ServerResponse): void {
  response.writeHead(file === undefined ? 404 : 200, {
    'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'self'",
  });
  response.end(file);
}
