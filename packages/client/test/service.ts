import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { createHrClient, type HrClient, type HrClientEvent, type HrClientOptions } from '../src/index.ts';
import { countingTokens } from './counting-tokens.ts';

export interface ReceivedRequest {
  readonly method: string | undefined;
  /** Path and query as they came. */
  readonly target: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the service does with a request. The index counts requests from 0. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, index: number) => unknown;

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

/** A service on a random port. The first answer goes to the first request, and so on; the last one is repeated. */
export async function service(...answers: readonly [Answer, ...Answer[]]): Promise<Service> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const { method, url: target, headers } = incoming;
      const request = { method, target, headers, body: await text(incoming) };
      const index = requests.push(request) - 1;
      const [last] = answers.slice(-1) as [Answer];
      await (answers[index] ?? last)(response, request, index);
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

/** A client of a service whose retries hardly wait. */
export function clientOf({ url }: { readonly url: string }, options: Partial<HrClientOptions> = {}): HrClient {
  return createHrClient({ baseUrl: url, auth: countingTokens(), retry: { maxDelay: 5 }, ...options });
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return raw(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

export function raw(body: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body);
}

export function problem(status: number, type: string, members: Record<string, unknown> = {}): Answer {
  const body = { type, title: 'A title', status, ...members };
  return json(body, status, { 'content-type': 'application/problem+json' });
}

/** Closes the connection with a reset, after the whole request was read. */
export const reset: Answer = (response) => response.socket?.resetAndDestroy();

/** Never answers. */
export const silent: Answer = () => undefined;

/** Sends the head and a part of the body, and then breaks the connection. */
export function cutOff(part: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(part, () => (response.socket as Socket).destroy());
  };
}

/** Lets the timeout of a call pass when the response has begun, however slow the machine is. */
export function timeoutInBody(): Partial<HrClientOptions> {
  const timeout = 60_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const onEvent = ({ type }: HrClientEvent): void => {
    if (type === 'response') setImmediate(() => vi.advanceTimersByTime(2 * timeout));
  };
  return { timeout, onEvent };
}

/** Sends the head and a part of the body, and nothing more. */
export function stalled(part: string, status = 200): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).write(part);
}

/** A list without end, written as fast as the client takes it. */
export function endless(state: { closed: boolean; bytes: number }): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[{"id":"first"}');
    response.on('close', () => {
      state.closed = true;
    });
    const piece = `,{"id":"next","jobTitle":"${'x'.repeat(200)}"}`.repeat(50);
    const pour = (): void => {
      do state.bytes += piece.length;
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', pour);
    pour();
  };
}

/** The address of a port that nobody listens on. */
export async function nobody(): Promise<{ readonly url: string }> {
  await using gone = await service(silent);
  return { url: gone.url };
}
