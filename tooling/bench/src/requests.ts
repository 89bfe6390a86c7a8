import { finished } from 'node:stream/promises';
import { request } from 'undici';
import { milliseconds } from './alternate.ts';

/** Who sends requests where. Connections are kept. */
export interface Caller {
  readonly origin: string;
  readonly token: string;
  /** The environment, where the service has many. */
  readonly host?: string | undefined;
}

export interface Sent {
  readonly path: string;
  readonly method?: 'GET' | 'PATCH' | 'POST';
  readonly body?: string;
  /** The media type of the body. Default: JSON. */
  readonly type?: string;
}

/** Requests of many callers at a time. */
export interface Load extends Caller {
  readonly callers: number;
  /** The next request. */
  next(): Sent;
  /** What belongs to the round although it comes after the responses. */
  settle?(): Promise<unknown>;
}

/** Sends requests for some time. Gives the responses per second. */
export async function requestRate(load: Load, forMs: number): Promise<number> {
  const start = performance.now();
  let responses = 0;
  async function caller(): Promise<void> {
    while (performance.now() - start < forMs) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      await send(load, load.next());
      responses++;
    }
  }
  await Promise.all(Array.from({ length: load.callers }, caller));
  await load.settle?.();
  return responses / ((performance.now() - start) / 1000);
}

/** The milliseconds until the last byte of a response, which is neither decoded nor parsed. */
export function timeToLastByte(caller: Caller, path: string): Promise<number> {
  return milliseconds(() => send(caller, { path }));
}

/** The milliseconds until the first bytes of a response body. */
export function timeToFirstByte(caller: Caller, path: string): Promise<number> {
  return milliseconds(async () => {
    // Leaving the loop ends the request.
    for await (const _ of await respond(caller, { path })) break;
  });
}

/** The status of a response, and the milliseconds until its last byte. */
export async function statusAndTime(caller: Caller, sent: Sent): Promise<{ status: number; ms: number }> {
  let status = 0;
  const ms = await milliseconds(async () => {
    const response = await requestOf(caller, sent);
    status = response.statusCode;
    await finished(response.body.resume());
  });
  return { status, ms };
}

async function send(caller: Caller, sent: Sent): Promise<void> {
  const body = await respond(caller, sent);
  await finished(body.resume());
}

async function respond(caller: Caller, sent: Sent) {
  const response = await requestOf(caller, sent);
  if (response.statusCode !== 200) {
    throw new Error(`The response to ${sent.path} is ${response.statusCode}: ${await response.body.text()}`);
  }
  return response.body;
}

function requestOf({ origin, token, host }: Caller, { path, method = 'GET', type = 'application/json', body }: Sent) {
  return request(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(host !== undefined && { host }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  });
}
