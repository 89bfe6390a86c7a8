import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Changes } from '@hr/schemas';

/** A message, as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Changes };
  /** Of the response; `undefined` as long as there is none. */
  status?: number;
}

type Respond = (response: ServerResponse, received: Received) => void | Promise<void>;

/** A server that receives webhooks. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** What it does from now on; by default it responds with 204. */
  respond: Respond;
  stop(): Promise<void>;
}

export const withStatus =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end();

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const event = JSON.parse(body) as Received['event'];
      const one: Received = { path: request.url ?? '', headers: request.headers, text: body, event };
      received.push(one);
      response.once('finish', () => (one.status = response.statusCode));
      await receiver.respond(response, one);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: withStatus(204),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}
