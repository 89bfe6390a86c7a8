import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { clientErrorProblem, rawProblem } from '@hr/schemas/provider';
import { checkFakeOptions, createFakeHrCloud, type FakeHrCloud, type FakeHrCloudOptions } from './fake-hr-cloud.ts';

declare global {
  // Merges with the interface of `lib`. Without that one `await using` is unavailable, and all else compiles.
  interface AsyncDisposable {}
}

/**
 * A fake HR cloud that listens on this machine.
 *
 * @sealed
 */
export interface RunningFakeHrCloud extends FakeHrCloud, AsyncDisposable {
  /** Its base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Stops it, and closes its connections. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts a fake HR cloud on a free port of the loopback interface.
 *
 * @throws {HrTestingError} `invalid-option` if an option is out of range.
 * @example
 * const fake = await startFakeHrCloud({ persons: 20 });
 * const auth = clientCredentials({ baseUrl: fake.url, clientId: fake.clientId, clientSecret: fake.clientSecret });
 */
export async function startFakeHrCloud(options: FakeHrCloudOptions = {}): Promise<RunningFakeHrCloud> {
  checkFakeOptions('startFakeHrCloud', options);
  const fake = createFakeHrCloud(options);
  const server = createServer((request, response) => void respond(fake, request, response));
  server.on('clientError', respondToClientError);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
  const url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(fake, { url, stop, [Symbol.asyncDispose]: stop });
}

/** Responds directly on the connection to oversized or malformed HTTP, for which there is no request. */
function respondToClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const response = rawProblem(clientErrorProblem(code), { requestId: 'fake-none', reasons: STATUS_CODES });
  if (socket.writable) socket.end(response);
  else socket.destroy();
}

/** A fault of the fake itself is thrown, so that the test runner sees it. */
async function respond(fake: FakeHrCloud, sent: IncomingMessage, to: ServerResponse): Promise<void> {
  const left = new AbortController();
  to.once('close', () => left.abort());
  // Undefined if fetch cannot express the request, such as TRACE, or if the caller disconnected.
  const request = await requestOf(sent, left.signal).catch(() => undefined);
  const response = request ? await fake.fetch(request) : Response.error();
  if (response.type === 'error') {
    to.destroy();
    return;
  }
  to.writeHead(response.status, Object.fromEntries(response.headers));
  try {
    for await (const chunk of response.body ?? []) {
      // Flush each chunk before a broken connection can drop it.
      await new Promise<void>((resolve, reject) => to.write(chunk, (error) => (error ? reject(error) : resolve())));
    }
    to.end();
  } catch {
    to.destroy();
  }
}

async function requestOf(sent: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = '', url = '', headersDistinct } = sent;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const body = await buffer(sent);
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(`http://${LOOPBACK}${url}`, { method, headers, signal, ...(hasBody && { body }) });
}
