import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface TokenRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
  readonly receivedAt: number;
}

/** Responds to the request of this index, from 0. */
export type Respond = (response: ServerResponse, index: number) => unknown;

export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
}

/** A token endpoint on a random port. The first function responds to the first request, and so on; the last one to all further requests. */
export async function tokenServer(...responds: readonly [Respond, ...Respond[]]): Promise<TokenServer> {
  const requests: TokenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { method, url, headers } = request;
      const index =
        requests.push({
          method,
          path: url,
          headers,
          form: new URLSearchParams(await text(request)),
          receivedAt: Date.now(),
        }) - 1;
      const [last] = responds.slice(-1) as [Respond];
      await (responds[index] ?? last)(response, index);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(body: unknown, code = 200, headers: Record<string, string> = {}): Respond {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Issues `token-1` to the first request, `token-2` to the second, and so on. */
export function numberedToken(fields: Record<string, unknown> = {}): Respond {
  return (response, index) =>
    json({ access_token: `token-${index + 1}`, token_type: 'Bearer', expires_in: 3600, ...fields })(response, index);
}

export function status(code: number, headers: Record<string, string> = {}): Respond {
  return (response) => response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<h1>No.</h1>');
}

export const reset: Respond = (response) => response.socket?.resetAndDestroy();
export const silent: Respond = () => undefined;

/** Responds only after `release()`; `arrived` resolves when the request has arrived. */
export function held(respond: Respond): {
  readonly respond: Respond;
  readonly arrived: Promise<void>;
  release(): void;
} {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  return {
    arrived: arrival.promise,
    release: gate.resolve,
    async respond(response, index) {
      arrival.resolve();
      await gate.promise;
      await respond(response, index);
    },
  };
}
