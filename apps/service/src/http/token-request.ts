import type { FastifyRequest } from 'fastify';
import { parseForm } from './parse-form.ts';
import { decodeUtf8 } from './read-json.ts';
import { TokenRefusal } from './token-refusal.ts';

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** The fields of the form that have a value (RFC 6749 section 3.2). */
export function readForm({ headers, body }: FastifyRequest): Map<string, string> {
  const text = formType.test(headers['content-type'] ?? '') && decodeUtf8((body as Buffer | undefined) ?? Buffer.of());
  const fields = typeof text === 'string' ? parseForm(text) : undefined;
  const form = new Map(fields);
  if (form.size !== fields?.length) {
    throw new TokenRefusal('invalid_request', 'Send application/x-www-form-urlencoded in UTF-8, each field once.');
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** The client's credentials, from the form or from HTTP Basic (RFC 6749 section 2.3.1). */
export function readCredentials(
  { headers: { authorization } }: FastifyRequest,
  form: Map<string, string>,
): Credentials {
  if (authorization === undefined) return { clientId: form.get('client_id'), clientSecret: form.get('client_secret') };
  if (form.has('client_id') || form.has('client_secret')) {
    throw new TokenRefusal('invalid_request', 'Send the credentials in the form or as Basic, not both.');
  }
  const encoded = /^basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = (decodeUtf8(Buffer.from(encoded, 'base64')) ?? '').split(':');
  // Each part was form-encoded before.
  const decoded = new Map(parseForm(`id=${clientId}&secret=${secret.join(':')}`));
  return { clientId: decoded.get('id'), clientSecret: decoded.get('secret') };
}
