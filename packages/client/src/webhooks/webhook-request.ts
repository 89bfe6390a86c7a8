import { check, WebhookError } from './webhook-error.ts';

/** Headers as Fetch has them, `Headers`, or as Node.js has them, `IncomingHttpHeaders`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request: a `Request` of Fetch, an `IncomingMessage` of Node.js whose body nothing has read yet, or an object with
 * the headers and the raw body.
 */
export type WebhookRequest =
  | { readonly headers: WebhookHeaders; readonly body: string | Uint8Array | ArrayBuffer }
  | { readonly headers: WebhookHeaders; arrayBuffer(): Promise<ArrayBuffer> }
  | (AsyncIterable<unknown> & { readonly headers: WebhookHeaders; readonly body?: undefined });

const MAX_BODY_BYTES = 64 * 1024;
const PASS_RAW_BODY =
  'The body was parsed or read before. Pass the raw body, because the signature covers its bytes. ' +
  "In Express, use express.raw({ type: 'application/json' }) for the path. " +
  "In Fastify, addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body)).";

const forms = {
  // A comma joins repeated headers, and a full stop separates what is signed.
  'webhook-id': [/^(?!.*[.,])[!-~]{1,255}$/, '1 to 255 ASCII characters without space, comma and full stop'],
  'webhook-timestamp': [/^\d{1,12}$/, 'whole seconds since 1970'],
  'webhook-signature': [
    /^\w+,[\w+/=-]+(?: \w+,[\w+/=-]+){0,15}$/,
    '1 to 16 signatures v1,BASE64 with a space between them',
  ],
} as const;

/** @throws {WebhookError} `missing-header` or `invalid-header`. */
export function headerOf(request: WebhookRequest, name: keyof typeof forms): string {
  const { headers } = Object(request) as WebhookRequest;
  check(
    typeof headers === 'object' && headers !== null,
    'invalid-option',
    'The request has no headers. Pass a Request, in Hono c.req.raw, or { headers, body }.',
  );
  const [pattern, form] = forms[name];
  const [value, ...others] = valuesOf(headers, name);
  check(value !== undefined, 'missing-header', `${name} is missing. Check that no proxy removes it.`);
  check(
    others.length === 0 && pattern.test(value),
    'invalid-header',
    `${name} must be one header: ${form}. Check that no proxy changes it.`,
  );
  return value;
}

function valuesOf(headers: WebhookHeaders, name: string): string[] {
  const values =
    typeof headers.get === 'function'
      ? [headers.get(name) as unknown]
      : Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
  return values.filter((value) => typeof value === 'string');
}

/** @throws {WebhookError} `unreadable-body`. */
export async function rawBodyOf(request: WebhookRequest): Promise<Blob> {
  const { body = request, bodyUsed, readableDidRead } = request as Readonly<Record<string, unknown>>;
  if (body === null) return new Blob([]);
  if (typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return new Blob([body as string | Uint8Array<ArrayBuffer>]);
  check(bodyUsed !== true && readableDidRead !== true && isStream(body), 'unreadable-body', PASS_RAW_BODY);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) break;
    }
  } catch {
    throw new WebhookError(
      'unreadable-body',
      'The body broke off, or something else reads it. The service sends it again.',
    );
  }
  check(
    size <= MAX_BODY_BYTES,
    'unreadable-body',
    `The body has more than ${MAX_BODY_BYTES} bytes. Reject the request.`,
  );
  return new Blob(chunks);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array<ArrayBuffer>> {
  return Symbol.asyncIterator in Object(body);
}
