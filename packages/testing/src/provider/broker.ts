import { z } from 'zod';
import { jsonOf, parsePact, type Pact } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { HrTestingError, invalidOption } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import type { BrokerNotices, VerificationResult } from './verification-result.ts';

const MAX_REQUEST_MS = 60_000;
/** Contracts of this kit are newer, so the broker omits none as old work in progress. */
const WIP_SINCE = '2026-01-01';

/** A Pact broker: the source of pacts, and the target of results. */
export interface Broker {
  readonly url: string;
  readonly token?: string | undefined;
  /** Used with the password if there is no token. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The branch of the provider. Pacts of consumer branches with this name are included. */
  readonly branch?: string | undefined;
  /** Publishes the results for this version of the provider, with the URL of its build. Set it in CI only. */
  readonly publish?: { readonly version: string; readonly buildUrl?: string | undefined } | undefined;
}

/**
 * The broker of `PACT_BROKER_BASE_URL`, with `PACT_BROKER_TOKEN`, or `PACT_BROKER_USERNAME` and `PACT_BROKER_PASSWORD`;
 * `undefined` without the first.
 *
 * @throws {HrTestingError} `invalid-option` if the URL is not an http(s) URL, or contains credentials.
 * @example
 * const broker = brokerFromEnvironment();
 * const source = broker ? { broker: { ...broker, branch: 'main' } } : { pacts: ['pacts'] };
 */
export function brokerFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Broker | undefined {
  const { PACT_BROKER_BASE_URL: url, PACT_BROKER_TOKEN: token } = env;
  const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = env;
  if (!url) return undefined;
  const broker = { url, ...(token && { token }), ...(username && { username }), ...(password && { password }) };
  const fault = brokerFault(broker);
  if (fault !== undefined) throw invalidOption(`PACT_BROKER_BASE_URL: ${fault}`);
  return broker;
}

/** What is wrong with the options of a broker. */
export function brokerFault({ url, token = '', publish }: Broker): string | undefined {
  const { username, password } = httpUrl(url) ?? {};
  const { buildUrl } = publish ?? {};
  if (username === undefined) return 'The URL of the broker is not an http(s) URL. Correct it.';
  if (username || password)
    return 'The URL of the broker contains credentials. Set PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD instead.';
  if (/[^\x21-\x7E]/.test(token)) return 'The token of the broker has an invalid character. Correct it.';
  return buildUrl === undefined || httpUrl(buildUrl) ? undefined : 'The build URL is not an http(s) URL. Correct it.';
}

const Href = z.looseObject({ href: z.url() }).transform(({ href }) => href);

/** The model of a resource with a link; it returns the URL of the link with these parameters. */
function linkedBy(name: string, parameters: Readonly<Record<string, string>>) {
  const links = z.looseObject({ [name]: Href });
  return z.looseObject({ _links: links }).transform(({ _links: { [name]: href } }) => {
    return String(href).replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(parameters[each] ?? ''));
  });
}

const Notices = z.array(z.looseObject({ when: z.string(), text: z.string() })).catch([]);
const Listed = z.looseObject({
  verificationProperties: z
    .looseObject({ pending: z.boolean().default(false), notices: Notices })
    .prefault({ notices: [] }),
  _links: z.looseObject({ self: Href }),
});
const List = z
  .looseObject({ _embedded: z.looseObject({ pacts: z.array(Listed) }) })
  .transform(({ _embedded: { pacts } }) => pacts);
const Links = z
  .looseObject({ _links: z.looseObject({ 'pb:provider': Href, 'pb:publish-verification-results': Href }) })
  .transform(({ _links: links }) => links);

/** A pact, and what the broker says about it. */
export interface BrokerPact extends Pact {
  /** Whether it is new and has never passed. */
  readonly pending: boolean;
  readonly noticesFor: (isPassed: boolean) => BrokerNotices;
  readonly links: z.output<typeof Links>;
}

/**
 * The pacts to verify, by the broker: of the consumers' main branches, of consumer branches with the provider branch's
 * name, and of all deployed or released versions. New pacts are pending.
 *
 * @throws {HrTestingError} `broker-failed`; `invalid-pact`, also if there is none.
 */
export async function pactsOfBroker(broker: Broker): Promise<readonly BrokerPact[]> {
  const { url, branch, publish } = broker;
  const index = linkedBy('pb:provider-pacts-for-verification', { provider: PROVIDER_NAME });
  const { data: forVerification } = await ask(broker, index, 'GET', url);
  const selectors = {
    consumerVersionSelectors: [
      { mainBranch: true },
      ...(branch === undefined ? [] : [{ matchingBranch: true }]),
      { deployedOrReleased: true },
    ],
    includePendingStatus: true,
    includeWipPactsSince: WIP_SINCE,
    providerVersionBranch: branch,
  };
  const { data: pacts } = await ask(broker, List, 'POST', forVerification, selectors);
  if (pacts.length === 0)
    throw new HrTestingError('invalid-pact', `${url} has no pact with ${PROVIDER_NAME} to verify. Publish one first.`);
  return Promise.all(
    pacts.map(async ({ verificationProperties: { pending, notices }, _links: { self } }) => {
      const { data: links, text: content } = await ask(broker, Links, 'GET', self);
      const textsOf = (moment: string) => notices.flatMap(({ when, text }) => (when === moment ? [text] : []));
      const noticesFor = (isPassed: boolean) => ({
        before: textsOf('before_verification'),
        after: textsOf(`after_verification:success_${isPassed}_published_${publish !== undefined}`),
      });
      return { ...parsePact(content, self), pending, noticesFor, links };
    }),
  );
}

/**
 * Publishes a result for each pact.
 *
 * @throws {HrTestingError} `broker-failed`.
 */
export async function publishResults(
  broker: Broker,
  pacts: readonly BrokerPact[],
  { interactions }: VerificationResult,
): Promise<void> {
  const { branch, publish: { version = '', buildUrl } = {} } = broker;
  // oxlint-disable no-await-in-loop -- in the order of the pacts; the branch comes before the first result
  for (const [position, { source, interactions: own, links }] of pacts.entries()) {
    if (branch !== undefined && position === 0) {
      const model = linkedBy('pb:branch-version', { branch, version });
      const { data: url } = await ask(broker, model, 'GET', links['pb:provider']);
      await ask(broker, z.object(), 'PUT', url, {});
    }
    const verified = interactions.filter(({ pact }) => pact === source);
    const result = {
      providerApplicationVersion: version,
      buildUrl,
      success: verified.every(({ ok }) => ok),
      testResults: verified.map(({ ok, faults }, index) => ({
        interactionId: own[index]?.['_id'],
        success: ok,
        mismatches: faults.map(({ place, message }) => ({ attribute: place, description: message })),
      })),
      verifiedBy: { implementation: '@hr/testing' },
    };
    await ask(broker, z.object(), 'POST', links['pb:publish-verification-results'], result);
  }
  // oxlint-enable no-await-in-loop
}

/**
 * Sends a request to the broker, and resolves with the parsed response and its text.
 *
 * @throws {HrTestingError} `broker-failed` unless the broker responds with success and a valid body.
 */
async function ask<Model extends z.ZodType>(
  { token, username, password = '' }: Broker,
  model: Model,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
): Promise<{ readonly data: z.output<Model>; readonly text: string }> {
  const { origin, pathname } = new URL(url);
  const failed = (why: string, cause?: unknown) =>
    new HrTestingError('broker-failed', `${method} ${origin}${pathname}: ${why}`, { cause });
  const basic = username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const authorization = token ? `Bearer ${token}` : basic;
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/hal+json, application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(authorization && { authorization }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(MAX_REQUEST_MS),
  }).catch((error: unknown) => {
    throw failed('the broker cannot be reached. Check PACT_BROKER_BASE_URL.', error);
  });
  const { status, ok } = response;
  const text = await response.text().catch(() => '');
  if (status === 401 || status === 403) {
    const variables = 'PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD';
    const what = authorization ? 'rejects the credentials' : 'requires credentials';
    throw failed(`the broker ${what} (${status}). Set ${variables} of a user who may do this.`);
  }
  if (!ok) throw failed(`the broker responds ${status}. Check the names and versions.`);
  const { success, data } = model.safeParse(jsonOf(text || '{}'));
  if (success) return { data, text };
  throw failed('the response is none of a Pact broker. Check PACT_BROKER_BASE_URL.');
}
