import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';

const MAX_RESPONSE_MS = 10_000;
const MAX_HOOK_MS = 30_000;

export interface ProviderResponse {
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
 * Sends a request to the provider as it is, without a proxy of the environment and without following a redirect.
 *
 * @throws {Error} when no complete response comes in time.
 */
export async function forwardRequest(
  providerUrl: string,
  { method, path, headers, body }: Request,
): Promise<ProviderResponse> {
  const url = new URL(providerUrl.replace(/\/+$/, '') + path);
  const { host: _host, connection: _connection, ...rest } = headers;
  const { request } = url.protocol === 'https:' ? https : http;
  const abort = new AbortController();
  const response = new Promise<ProviderResponse>((resolve, reject) => {
    // The body is read here, so it must not be compressed.
    const sent = { ...rest, 'accept-encoding': 'identity' };
    request(url, { method, headers: sent, agent: false, signal: abort.signal }, (incoming) => {
      const { statusCode: status = 0, headers: given } = incoming;
      const { 'content-encoding': encoding = 'identity' } = given;
      if (encoding !== 'identity') reject(new Error(`the body is in ${encoding}, which was not accepted.`));
      buffer(incoming).then((content) => resolve({ status, headers: given, body: content }), reject);
    })
      .on('error', reject)
      .end(body);
  });
  return within(MAX_RESPONSE_MS, () => response)
    .catch((error: Error) => {
      throw new Error(`no complete response: ${error.message}`, { cause: error });
    })
    .finally(() => abort.abort());
}

/** Runs a state handler, `reset` or a token source, which must not block the verification. */
export function runHook<Value>(hook: () => Value | Promise<Value>): Promise<Value> {
  return within(MAX_HOOK_MS, hook);
}

async function within<Value>(milliseconds: number, doIt: () => Value | Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${milliseconds / 1000} s.`)), milliseconds);
  try {
    return await Promise.race([doIt(), late]);
  } finally {
    clearTimeout(timer);
  }
}
