import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyProvider, verifyWithPactCli } from '@hr/testing/provider';

/** Both verifiers have to say the same. */
export const verifiers = [
  { name: 'verifyProvider', verify: verifyProvider },
  { name: 'verifyWithPactCli', verify: verifyWithPactCli },
] as const;

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

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A provider that answers as it is told. */
export async function startProvider(answer: Answer): Promise<ProviderUnderTest> {
  const requests: ReceivedRequest[] = [];
  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    answer(response, request);
  }

  const server = createServer((incoming, response) => void take(incoming, response));
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

/** Answers JSON. */
export function json(value: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(JSON.stringify(value));
  };
}
