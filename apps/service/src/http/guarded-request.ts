import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AllowedAddresses } from './allowed-addresses.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;

/** The host has no address that requests may be sent to. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code = 'address-not-allowed';
}

interface GuardedResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` if it is longer than 64 KiB. */
  readonly body: string | undefined;
}

/** Sends one request without redirects, and without a proxy. */
export type GuardedRequest = (
  url: URL,
  init: Pick<RequestOptions, 'method' | 'headers'> & { readonly body?: string; readonly timeoutMs: number },
) => Promise<GuardedResponse>;

/**
 * Sends requests to hosts that others have chosen. Each address is checked when it is connected to: a name may have another
 * one by then.
 *
 * @param cut aborts requests
 * @param lookUp resolves names
 */
export function createGuardedRequest(
  addresses: AllowedAddresses,
  cut: AbortSignal,
  lookUp: typeof systemLookup = systemLookup,
): GuardedRequest {
  return async (url, { body, timeoutMs, ...init }) => {
    const isSecure = url.protocol === 'https:';
    const mayReach = (address: string): boolean =>
      addresses.isAllowed(address) || (isSecure && addresses.isPublic(address));
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    // Node looks no address up.
    if (isIP(host) && !mayReach(host)) throw new AddressError();
    const options: RequestOptions = {
      ...init,
      // A connection of its own, without a proxy.
      agent: false,
      lookup: filtered(lookUp, mayReach),
      signal: AbortSignal.any([cut, AbortSignal.timeout(timeoutMs)]),
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, options);
      request.once('response', resolve).once('error', reject);
      // A response that switches protocols (101) is neither.
      request.once('close', () => reject(new Error('The connection closed without a response.')));
      request.end(body);
    });
    const { statusCode: status, headers } = response;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_RESPONSE_BYTES) return { status, headers, body: undefined };
    }
    return { status, headers, body: Buffer.concat(chunks).toString() };
  };
}

function filtered(lookUp: typeof systemLookup, mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, '');
      const reachable = found.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (!first) return done(new AddressError(), '');
      if (options.all) done(null, reachable);
      else done(null, first.address, first.family);
    });
  };
}
