import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { clientErrorProblem, rawProblem } from '@hr/schemas/provider';
import { createFakeHrCloud } from './fake-hr-cloud.ts';
import type { FakeHrCloud, FakeHrCloudOptions } from './fake-hr-cloud.ts';

declare global {
  // Merged with the interface where there is one: teams compile with `lib` without it, too, and then have no `await using`.
  interface AsyncDisposable {}
}

/**
 * A fake HR cloud behind an address of this machine.
 *
 * @sealed
 */
export interface RunningFakeHrCloud extends FakeHrCloud, AsyncDisposable {
  /** Its base address, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Ends it, with the connections that are open. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts a fake HR cloud on a free port of this machine; nobody else can reach it.
 *
 * @throws {RangeError} when an option is out of its range.
 * @example
 * const fake = await startFakeHrCloud({ persons: 20 });
 * const auth = clientCredentials({ baseUrl: fake.url, clientId: fake.clientId, clientSecret: fake.clientSecret });
 */
export async function startFakeHrCloud(options: FakeHrCloudOptions = {}): Promise<RunningFakeHrCloud> {
  const fake = createFakeHrCloud(options);
  const server = createServer((request, response) => void respond(fake, request, response));
  server.on('clientError', answerClientError);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
  const url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(fake, { url, stop, [Symbol.asyncDispose]: stop });
}

/** Answers on the bare connection what is too long or is not HTTP, and so never becomes a request. */
function answerClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writable)
    socket.end(rawProblem(clientErrorProblem(code), { requestId: 'fake-none', reasons: STATUS_CODES }));
  else socket.destroy();
}

/** A fault of the fake itself is thrown, where the test runner sees it. */
async function respond(fake: FakeHrCloud, sent: IncomingMessage, response: ServerResponse): Promise<void> {
  // What fetch has no words for, such as TRACE, and who leaves while sending, gets no answer.
  const left = new AbortController();
  response.once('close', () => left.abort());
  const request = await requestOf(sent, left.signal).catch(() => undefined);
  const answer = request ? await fake.answer(request) : Response.error();
  if (answer.type === 'error') response.destroy();
  else await send(answer, response);
}

async function requestOf(sent: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = '', url = '', rawHeaders } = sent;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const body = await buffer(sent);
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(`http://${LOOPBACK}${url}`, { method, headers, signal, ...(hasBody && { body }) });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const body = answer.body ?? [];
  try {
    // Each chunk is on its way before a break of the connection would drop it.
    for await (const chunk of body) {
      await new Promise<void>((resolve, reject) =>
        response.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
    }
    response.end();
  } catch {
    response.destroy();
  }
}
