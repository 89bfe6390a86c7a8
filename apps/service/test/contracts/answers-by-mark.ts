import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
export async function answerByMark(answer: (place: number) => RawAnswer): Promise<MarkedServer> {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(Number(request.headers[MARK] ?? Number.NaN));
    response.writeHead(status, headers).end(body);
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
