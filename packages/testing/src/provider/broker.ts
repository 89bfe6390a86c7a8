import { z } from 'zod';
import { jsonOf } from '../contract/pact.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';

const MAX_REQUEST_MS = 60_000;

/** A Pact broker. */
export interface Broker {
  readonly url: string;
  /** Bearer token, if the broker requires one. */
  readonly token?: string;
}

/** A broker as the source of pacts, and as the target of results. */
export interface BrokerSource extends Broker {
  /** The branch of the provider. Pacts of consumer branches with this name are included. */
  readonly branch?: string;
  /** Publishes the results for this version of the provider. Set it in CI only. */
  readonly publish?: { readonly version: string };
}

/**
 * The broker of `PACT_BROKER_BASE_URL` and `PACT_BROKER_TOKEN`; `undefined` without the first.
 *
 * @throws {HrTestingError} `invalid-option` if the URL is not an http(s) URL.
 * @example
 * const broker = brokerFromEnvironment();
 * const source = broker ? { broker: { ...broker, branch: 'main' } } : { pacts: ['pacts'] };
 */
export function brokerFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Broker | undefined {
  const { PACT_BROKER_BASE_URL: url, PACT_BROKER_TOKEN: token } = env;
  if (!url) return undefined;
  if (!httpUrl(url))
    throw new HrTestingError('invalid-option', 'PACT_BROKER_BASE_URL is not an http(s) URL. Correct it.');
  return { url: url.replace(/\/+$/, ''), ...(token && { token }) };
}

interface BrokerRequest<Model> {
  /** The model of the response. */
  readonly model: Model;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: object;
}

/**
 * Sends a request to the broker, and resolves with the parsed response and its text.
 *
 * @throws {HrTestingError} `broker-failed` unless the broker responds with success and a valid body.
 */
export async function askBroker<Model extends z.ZodType>(
  { token }: Broker,
  url: string,
  { model, method = 'GET', body }: BrokerRequest<Model>,
): Promise<{ readonly data: z.output<Model>; readonly text: string }> {
  const { origin, pathname } = new URL(url);
  const failed = (why: string, cause?: unknown) =>
    new HrTestingError('broker-failed', `${method} ${origin}${pathname}: ${why}`, { cause });
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/hal+json, application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(MAX_REQUEST_MS),
  }).catch((error: unknown) => {
    throw failed('the broker cannot be reached. Check PACT_BROKER_BASE_URL.', error);
  });
  const { status, ok } = response;
  const text = await response.text().catch(() => '');
  if (status === 401 || status === 403)
    throw failed(`the broker responds ${status}. Set PACT_BROKER_TOKEN to a valid token that may do this.`);
  if (!ok) throw failed(`the broker responds ${status}. Check the names and versions.`);
  const { success, data } = model.safeParse(jsonOf(text || '{}'));
  if (success) return { data, text };
  throw failed('the response is none of a Pact broker. Check PACT_BROKER_BASE_URL.');
}

export const Href = z.looseObject({ href: z.url() }).transform(({ href }) => href);

/** The model of a resource with a link; it returns the URL of the link with these parameters. */
export function linkedBy(name: string, parameters: Readonly<Record<string, string>> = {}) {
  const links = z.looseObject({ [name]: Href });
  return z.looseObject({ _links: links }).transform(({ _links: { [name]: href } }) => {
    return String(href).replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(parameters[each] ?? ''));
  });
}
