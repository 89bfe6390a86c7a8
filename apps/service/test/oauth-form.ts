import { randomBytes } from 'node:crypto';
import type { ClientCredentials } from '../src/clients/clients.ts';
import type { TestService } from './service.ts';

/** The fields of a form, or its text. */
export type Fields = Record<string, string> | [string, string][] | string;

interface FormAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Sends a form to an endpoint of OAuth; `endpoint` is the last part of its path. */
export async function sendForm(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  endpoint: 'introspect' | 'revoke' | 'token',
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<FormAnswer> {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${baseUrl}/api/oauth2/${endpoint}`, { method: 'POST', headers, body });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** The credentials as fields of a form. */
export function inForm({ clientId, clientSecret }: Omit<ClientCredentials, 'scope'>): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret };
}

/** The credentials as HTTP Basic. */
export function basic(clientId: string, clientSecret: string): { authorization: string } {
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
}

export function askToken(
  service: Pick<TestService, 'baseUrl'>,
  credentials: ClientCredentials,
  headers?: Record<string, string>,
): Promise<FormAnswer> {
  const { scope } = credentials;
  return sendForm(service, 'token', { grant_type: 'client_credentials', ...inForm(credentials), scope }, headers);
}

export async function newToken(service: Pick<TestService, 'baseUrl'>, credentials: ClientCredentials): Promise<string> {
  const { status, body } = await askToken(service, credentials);
  if (status !== 200) throw new Error(`The token endpoint answered ${status}.`);
  return String(body['access_token']);
}

/** A text with the form of a token, which nobody has issued. */
export function inventToken(): string {
  return `hrt_${randomBytes(42).toString('base64url')}`;
}

/** Tells whether a service takes a token. */
export async function takes(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  token: string,
  from: Record<string, string> = {},
): Promise<boolean> {
  const headers = { ...from, authorization: `Bearer ${token}` };
  const { status } = await fetch(`${baseUrl}/api/v1/payrollContract/none/salaries/history`, { headers });
  // What is asked for is looked up for a token that is taken.
  if (status === 404) return true;
  // 429 instead of 401 once it was refused too often.
  if (status === 401 || status === 429) return false;
  throw new Error(`A token was answered ${status}.`);
}
