import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface TokenRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
  readonly receivedAt: number;
}

export type Answer = (response: ServerResponse, index: number) => unknown;

export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
}

/** A token endpoint on a random port. The first answer goes to the first request, and so on; the last one is repeated. */
export async function tokenServer(...answers: readonly [Answer, ...Answer[]]): Promise<TokenServer> {
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
      const [last] = answers.slice(-1) as [Answer];
      await (answers[index] ?? last)(response, index);
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

export function json(body: unknown, code = 200, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Tokens that are numbered by request: `token-1`, `token-2`, … */
export function numberedToken(fields: Record<string, unknown> = {}): Answer {
  return (response, index) =>
    json({ access_token: `token-${index + 1}`, token_type: 'Bearer', expires_in: 3600, ...fields })(response, index);
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<h1>No.</h1>');
}

export const reset: Answer = (response) => response.socket?.resetAndDestroy();
export const silent: Answer = () => undefined;

/** An answer that waits to be let go; `arrived` resolves when a request has come in. */
export function held(answer: Answer): { readonly answer: Answer; readonly arrived: Promise<void>; release(): void } {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  return {
    arrived: arrival.promise,
    release: gate.resolve,
    async answer(response, index) {
      arrival.resolve();
      await gate.promise;
      await answer(response, index);
    },
  };
}
