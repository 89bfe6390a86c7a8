import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookDelivery } from '@hr/schemas';
import { webhookHeaders, type WebhookMessage } from '@hr/schemas/provider';
import type { AllowedAddresses } from './allowed-addresses.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;
const TIMEOUT_MS = 15_000;

type Literal<Value extends string> = Value extends unknown ? (string extends Value ? never : Value) : never;
/** Why an attempt has no response. */
type Failure = Literal<Exclude<WebhookDelivery['failure'], undefined>>;

/** What came of an attempt: a status, or a failure. */
export interface Attempt {
  /** In UTC. */
  readonly sentAt: string;
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly failure?: Failure | undefined;
  /** As the header `Retry-After` of the response has it. */
  readonly retryAfter?: string | undefined;
}

export type Send = (url: string, message: WebhookMessage, secrets: readonly string[]) => Promise<Attempt>;

class AddressError extends Error {
  override readonly name = 'AddressError';
}

type Responded = Pick<Attempt, 'status' | 'retryAfter'>;

/**
 * Sends messages, each in one request without redirects. Their hosts are chosen by clients, so each address is checked when
 * it is connected to: a name may have another one by then.
 *
 * @param cut aborts requests
 * @param lookUp resolves names
 */
export function createSend(
  addresses: AllowedAddresses,
  cut: AbortSignal,
  lookUp: typeof systemLookup = systemLookup,
): Send {
  async function statusOf(url: URL, headers: Record<string, string>, body: string): Promise<Responded> {
    const isSecure = url.protocol === 'https:';
    const mayReach = (address: string): boolean =>
      addresses.isAllowed(address) || (isSecure && addresses.isPublic(address));
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    // Node looks no address up.
    if (isIP(host) && !mayReach(host)) throw new AddressError();
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own, without a proxy.
      agent: false,
      lookup: filtered(lookUp, mayReach),
      signal: AbortSignal.any([cut, AbortSignal.timeout(TIMEOUT_MS)]),
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, options);
      request.once('response', resolve).once('error', reject);
      // A response that switches protocols (101) is neither.
      request.once('close', () => reject(new Error('The connection closed without a response.')));
      request.end(body);
    });
    let bytes = 0;
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_RESPONSE_BYTES) break;
    }
    return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
  }

  return async (url, message, secrets) => {
    const sentAt = new Date();
    const signed = await webhookHeaders(message, secrets, sentAt.getTime());
    const headers = { 'user-agent': 'HR-Cloud-Webhooks', ...signed };
    const start = performance.now();
    const result = await statusOf(new URL(url), headers, message.body).catch((error: unknown) => ({
      failure: failureOf(error as Error),
    }));
    return { sentAt: sentAt.toISOString(), durationMs: Math.round(performance.now() - start), ...result };
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

function failureOf(error: Error): Failure {
  const { name, code = '' } = error as Error & { readonly code?: unknown };
  if (error instanceof AddressError) return 'address-not-allowed';
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(String(code))) return 'unknown-host';
  return /CERT|TLS|SSL|SIGNATURE/.test(String(code)) ? 'certificate' : 'connection';
}
