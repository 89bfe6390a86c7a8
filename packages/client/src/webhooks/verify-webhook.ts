import { check } from './webhook-error.ts';
import { webhookEvent, type WebhookEvent } from './webhook-event.ts';
import { headerOf, rawBodyOf, type WebhookRequest } from './webhook-request.ts';

/** Options of `verifyWebhook`. */
export interface WebhookOptions {
  /**
   * Maximum difference between the time at which the request was sent and the clock of this machine, in seconds. It
   * limits how long somebody who recorded a request can repeat it.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SECRET_PREFIX = 'whsec_';
const SIGNATURE_PREFIX = 'v1,';
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/**
 * Verifies that a request is a webhook of the HR Cloud, and returns its event. It reads the body of the request.
 *
 * @param secret - The secret of the endpoint, `whsec_…`. While you replace it, an array with the old and the new one.
 * @throws {WebhookError} If the request is not to be trusted: respond with 400.
 * @example
 * ```ts
 * async function receive(request: Request): Promise<Response> {
 *   const { id, data } = await verifyWebhook(request, webhookSecret);
 *   console.log(id, data.changed);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: WebhookOptions = {},
): Promise<WebhookEvent> {
  check(toleranceSeconds > 0, 'invalid-option', 'toleranceSeconds must be a number above 0.');
  const keys = await hmacKeys(secret);
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature').split(' ');
  checkAge(Number(timestamp), toleranceSeconds);

  const body = await rawBodyOf(request);
  const content = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer();
  const matches = signatures.flatMap((signature) => {
    const bytes = bytesAfter(SIGNATURE_PREFIX, signature);
    // It compares in constant time.
    return bytes ? keys.map((key) => crypto.subtle.verify(HMAC, key, bytes, content)) : [];
  });
  check(
    (await Promise.all(matches)).includes(true),
    'invalid-signature',
    'No signature matches. Check that the secret is that of the endpoint, and that the body is as it was received.',
  );
  return webhookEvent(id, await body.text());
}

function checkAge(timestamp: number, toleranceSeconds: number): void {
  const age = Math.floor(Date.now() / 1000) - timestamp;
  check(
    Math.abs(age) <= toleranceSeconds,
    'stale',
    `webhook-timestamp is ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}. The maximum is ${toleranceSeconds} s. Check the clock of this machine.`,
  );
}

function hmacKeys(secret: string | readonly string[]) {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  check(secrets.length > 0, 'invalid-secret', 'The list of secrets is empty. Pass at least one.');
  return Promise.all(
    secrets.map((one) => {
      const bytes = bytesAfter(SECRET_PREFIX, one);
      check(
        bytes !== undefined && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES,
        'invalid-secret',
        `A secret must be ${SECRET_PREFIX} followed by base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes, without spaces and quotation marks. Check where the program reads it.`,
      );
      return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
    }),
  );
}

/** The bytes of base64 behind a prefix; undefined for any other value. */
function bytesAfter(prefix: string, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const base64 = value.slice(prefix.length);
  try {
    const binary = atob(base64);
    // `atob` also accepts white space, missing padding and unused bits.
    return btoa(binary) === base64 ? Uint8Array.from(binary, (byte) => byte.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}
