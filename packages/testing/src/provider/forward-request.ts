import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { within } from './within.ts';

/** How long the provider may take for a whole answer. */
const LONGEST_WAIT_MS = 10_000;

export interface Forwarded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Request {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request to the provider as it is, and gives back its answer. No proxy of the environment is used.
 *
 * @throws {Error} when the provider gives none, or none in time.
 */
export async function forwardRequest(
  providerUrl: string,
  { method, path, headers, body }: Request,
): Promise<Forwarded> {
  const url = new URL(providerUrl.replace(/\/+$/, '') + path);
  // Without a wish for an encoding the answer can be looked at.
  const { host: _host, connection: _connection, 'accept-encoding': _encoding, ...rest } = headers;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const waiting = new AbortController();
  const answer = new Promise<Forwarded>((resolve, reject) => {
    const { signal } = waiting;
    const request = send(url, { method, headers: rest, agent: false, signal }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const { connection: _ofIt, 'transfer-encoding': _ofThat, ...kept } = answered;
      buffer(response).then((content) => resolve({ status, headers: kept, body: content }), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
  try {
    return await within(LONGEST_WAIT_MS, `none came within ${LONGEST_WAIT_MS / 1000} seconds.`, () => answer);
  } finally {
    // Ends what is late; what is done is past ending.
    waiting.abort();
  }
}
