import type { lookup } from 'node:dns';
import type { WebhookDelivery } from '@hr/schemas';
import { webhookHeaders, type WebhookMessage } from '@hr/schemas/provider';
import type { AllowedAddresses } from '../http/allowed-addresses.ts';
import { AddressError, createGuardedRequest } from '../http/guarded-request.ts';

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

/**
 * Sends messages, each in one {@link createGuardedRequest guarded request}.
 *
 * @param cut aborts requests
 * @param lookUp resolves names
 */
export function createSend(addresses: AllowedAddresses, cut: AbortSignal, lookUp?: typeof lookup): Send {
  const request = createGuardedRequest(addresses, cut, lookUp);
  return async (url, message, secrets) => {
    const sentAt = new Date();
    const signed = await webhookHeaders(message, secrets, sentAt.getTime());
    const { body } = message;
    const headers = { 'user-agent': 'HR-Cloud-Webhooks', ...signed, 'content-length': Buffer.byteLength(body) };
    const start = performance.now();
    const result = await request(new URL(url), { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }).then(
      (response) => ({ status: response.status, retryAfter: response.headers['retry-after'] }),
      (error: unknown) => ({ failure: failureOf(error as Error) }),
    );
    return { sentAt: sentAt.toISOString(), durationMs: Math.round(performance.now() - start), ...result };
  };
}

function failureOf(error: Error): Failure {
  const { name, code = '' } = error as Error & { readonly code?: unknown };
  if (error instanceof AddressError) return 'address-not-allowed';
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(String(code))) return 'unknown-host';
  return /CERT|TLS|SSL|SIGNATURE/.test(String(code)) ? 'certificate' : 'connection';
}
