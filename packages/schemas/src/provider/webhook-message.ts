/** So many webhook endpoints a client has at most. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * A new secret of webhooks, as Standard Webhooks writes one.
 *
 * @example
 * newWebhookSecret(); // 'whsec_…'
 */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return PREFIX + btoa(String.fromCharCode(...bytes));
}

/** A message to a receiver of webhooks. */
export interface WebhookMessage {
  /** The same each time that it is sent. */
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of a webhook: those of Standard Webhooks, with a signature for each of the secrets.
 *
 * @param sentAt milliseconds since the epoch
 * @example
 * const headers = await webhookHeaders({ id: 'msg_1', body: '{}' }, [newWebhookSecret()]);
 */
export async function webhookHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  sentAt: number = Date.now(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(async (secret) => {
    const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
    const signature = new Uint8Array(await crypto.subtle.sign(HMAC.name, key, content));
    return `v1,${btoa(String.fromCharCode(...signature))}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}
