import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { MARK } from './contract-file.ts';

/** An answer, as it goes over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface MarkedServer extends AsyncDisposable {
  readonly url: string;
}

/** Answers each request by its place in a marked pact. */
export async function answerByMark(
  answer: (place: number, request: IncomingMessage, body: Buffer) => RawAnswer | Promise<RawAnswer>,
): Promise<MarkedServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const place = Number(request.headers[MARK] ?? Number.NaN);
      const { status, headers, body } = await answer(place, request, await buffer(request));
      response.writeHead(status, headers).end(body);
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ofConnection = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** What the provider answers to a request at an address, by default with the headers of the request. */
export async function answerOf(
  url: string,
  request: IncomingMessage,
  body: Buffer,
  others: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { host: _host, connection: _connection, 'content-length': _length, ...own } = request.headers;
  const headers = { ...own, ...others };
  const response = await fetch(url, {
    method: request.method ?? '',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const given = [...response.headers].filter(([name]) => !ofConnection.has(name));
  return { status: response.status, headers: Object.fromEntries(given), body: await response.text() };
}
