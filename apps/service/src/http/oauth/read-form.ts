import { parseForm } from '@hr/schemas/rules';
import type { FastifyRequest } from 'fastify';
import { decodeUtf8 } from '../read-json.ts';
import { TokenRefusal } from './token-refusal.ts';

/** The fields of a form that have a value (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>;

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** @throws {TokenRefusal} where the body is no form, or names a field twice. */
export function readForm({ headers, body }: FastifyRequest): Form {
  const text = formType.test(headers['content-type'] ?? '') && decodeUtf8((body as Buffer | undefined) ?? Buffer.of());
  const fields = typeof text === 'string' ? parseForm(text) : undefined;
  const form = new Map(fields);
  if (form.size !== fields?.length) {
    throw new TokenRefusal('invalid_request', 'Send application/x-www-form-urlencoded in UTF-8, each field once.');
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

/** @throws {TokenRefusal} where the form does not bring the field. */
export function requiredField(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new TokenRefusal('invalid_request', `${name} is missing.`);
  return value;
}
