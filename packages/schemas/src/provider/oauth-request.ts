import { API_SCOPE, CLIENT_ASSERTION_TYPE } from '../oauth.ts';
import { OAuthError } from './http-error.ts';
import { decodeFormValue, parseForm, decodeUtf8 } from './decode.ts';

/** The fields of a form that have a value: an empty one counts as missing (RFC 6749 section 3.2). */
export type Form = ReadonlyMap<string, string>;

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/**
 * Reads the form of an OAuth endpoint.
 *
 * @throws {OAuthError} `invalid_request` if the body is not a form in UTF-8, or repeats a field.
 * @example
 * const form = readForm('application/x-www-form-urlencoded', new TextEncoder().encode('scope=api:use'));
 * form.get('scope'); // 'api:use'
 */
export function readForm(contentType: string | null | undefined, bytes: Uint8Array): Form {
  const text = formType.test(contentType ?? '') ? decodeUtf8(bytes) : undefined;
  const fields = text === undefined ? undefined : parseForm(text);
  const form = new Map(fields);
  if (form.size !== fields?.length) {
    throw new OAuthError('invalid_request', 'Send application/x-www-form-urlencoded in UTF-8, each field once.');
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

/**
 * The value of a field.
 *
 * @throws {OAuthError} `invalid_request` if the form does not have it.
 * @example
 * requiredField(new Map([['token', '2YotnFZFEjr1zCsicMWpAA']]), 'token');
 */
export function requiredField(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

/** The credentials of a client. */
export interface Credentials {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** A JWT instead of the secret (RFC 7523 section 2.2). */
  readonly clientAssertion?: string | undefined;
}

/**
 * The credentials of a client, from the form or from HTTP Basic (RFC 6749 section 2.3.1), or an assertion (RFC 7523
 * section 2.2).
 *
 * @param authorization the header `Authorization`
 * @throws {OAuthError} `invalid_request` if there are two kinds of them; `invalid_client` if an assertion is not a JWT.
 * @example
 * const { clientId } = readCredentials('Basic ZGVtbzpzZWNyZXQ=', new Map()); // 'demo'
 */
export function readCredentials(authorization: string | null | undefined, form: Form): Credentials {
  if (form.has('client_assertion') || form.has('client_assertion_type')) {
    if (typeof authorization === 'string' || form.has('client_secret')) {
      throw new OAuthError('invalid_request', 'Send a secret or an assertion, not both.');
    }
    if (form.get('client_assertion_type') !== CLIENT_ASSERTION_TYPE) {
      throw new OAuthError('invalid_client', `The only client_assertion_type is ${CLIENT_ASSERTION_TYPE}.`);
    }
    const clientAssertion = requiredField(form, 'client_assertion');
    return { clientId: form.get('client_id'), clientSecret: undefined, clientAssertion };
  }
  if (authorization === null || authorization === undefined) {
    return { clientId: form.get('client_id'), clientSecret: form.get('client_secret') };
  }
  if (form.has('client_id') || form.has('client_secret')) {
    throw new OAuthError('invalid_request', 'Send the credentials in the form or as Basic, not both.');
  }
  const encoded = /^basic +([A-Za-z\d+/]+)={0,2}$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = (decodeBase64(encoded) ?? '').split(':');
  // Each part is form-encoded.
  return { clientId: decodeFormValue(clientId), clientSecret: decodeFormValue(secret.join(':')) };
}

/** Accepts a truncated last byte, like Node.js: `atob` rejects it. */
function decodeBase64(digits: string): string | undefined {
  const bytes = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  return decodeUtf8(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/**
 * Checks the grant type of a token request (RFC 6749 section 4.4.2).
 *
 * @throws {OAuthError} `unsupported_grant_type`; `invalid_request` if it is missing.
 * @example
 * checkGrantType(new Map([['grant_type', 'password']])); // throws
 */
export function checkGrantType(form: Form): void {
  if (requiredField(form, 'grant_type') === 'client_credentials') return;
  throw new OAuthError('unsupported_grant_type', 'The only grant_type is client_credentials.');
}

/**
 * Checks the requested scope of a token request and gives it. The default is that of the API (section 5).
 *
 * @param granted the scope of the client and the narrower ones (RFC 6749 section 3.3), of which a token has one
 * @throws {OAuthError} `invalid_scope` if the client requests another scope.
 * @example
 * checkRequestedScope(new Map([['scope', 'operator']]), ['api:use']); // throws
 */
export function checkRequestedScope<Scope extends string>(
  form: Form,
  granted: readonly [client: Scope, ...narrower: Scope[]],
): Scope {
  const requested = form.get('scope') ?? API_SCOPE;
  const scope = granted.find((each) => each === requested);
  if (scope !== undefined) return scope;
  throw new OAuthError('invalid_scope', `The client has the scope ${granted[0]}; no scope asks for ${API_SCOPE}.`);
}
