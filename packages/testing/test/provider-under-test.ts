import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ProviderUnderTest {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  stop(): Promise<void>;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** A provider that responds as a test says. */
export async function startProvider(respond: Respond): Promise<ProviderUnderTest> {
  const requests: ReceivedRequest[] = [];
  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    respond(response, request);
  }

  const server = createServer((incoming, response) => void receive(incoming, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Responds with JSON. */
export function json(value: unknown, status = 200): Respond {
  return (response) => {
    response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(JSON.stringify(value));
  };
}
