import { API_SCOPE, TOKEN_PATH, TokenResponse } from '@hr/schemas';
import { exampleTokens } from '../../contract/example-tokens.ts';
import { mediaTypeOf } from '../../contract/pact.ts';
import { startFakeHrCloud } from '../../fake/start-fake-hr-cloud.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { stateNames } from '../../states/read-state.ts';
import { brokerFromEnvironment } from '../broker.ts';
import { recordVerification } from '../releases.ts';
import { scenarioStates } from '../scenario-states.ts';
import { VerificationFailedError, verificationReport } from '../verification-result.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { verifyProvider } from '../verify-provider.ts';

/** The arguments of a command. */
export interface Arguments {
  readonly pacts: readonly string[];
  /** Values of flags by their names; `true` for a boolean. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The output of a command, and whether it succeeded. */
export interface Report {
  readonly text: string;
  readonly ok: boolean;
  /** Default: 0 if it succeeded, otherwise 1. */
  readonly exitCode?: number;
}

/** The arguments of the program are invalid. */
export class UsageError extends Error {}

/** Verifies the fake or a running provider, and records or publishes the result for its version. */
export async function verifyCommand(given: Arguments): Promise<Report> {
  const { url, version, records, json } = given.values;
  const source = sourceOf(given);
  const fake = url === undefined ? await startFakeHrCloud() : undefined;
  try {
    const provider = fake
      ? {
          provider: { url: fake.url },
          states: scenarioStates((scenario) => fake.load(scenario)),
          reset: () => fake.reset(),
          approvePayments() {
            for (const { id, state } of fake.payments.list()) if (state === 'submitted') fake.payments.approve(id);
          },
          token: () => exampleTokens.valid,
          tokenWithoutScope: () => exampleTokens.withoutScope,
        }
      : await runningProvider(given);
    const result = await verifyProvider({ ...provider, source }).catch((error: unknown) => {
      if (error instanceof VerificationFailedError) return error.result;
      throw error;
    });
    if (version !== undefined && records !== undefined) {
      // It rejects a failed result, which is reported below.
      const recorded = recordVerification({ records, version, result });
      await (result.ok ? recorded : recorded.catch(() => undefined));
    }
    return { text: json ? JSON.stringify(result, undefined, 2) : verificationReport(result), ok: result.ok };
  } finally {
    await fake?.stop();
  }
}

function sourceOf({ pacts, values, env }: Arguments): VerifyOptions['source'] {
  const { url, version, branch, records } = values;
  const broker = pacts.length > 0 ? undefined : brokerFromEnvironment(env);
  if (url === undefined && (version ?? values['states-url']) !== undefined)
    throw new UsageError('--version and --states-url need --url; the fake has no version.');
  if (records !== undefined && (pacts.length === 0 || version === undefined))
    throw new UsageError('--records needs PACTS and --version.');
  if (broker) {
    const publish = version === undefined ? {} : { publish: { version } };
    return { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } };
  }
  if (pacts.length === 0)
    throw new UsageError('verify needs PACTS or a broker. Name pact files, or set PACT_BROKER_BASE_URL.');
  if (branch !== undefined) throw new UsageError('--branch needs the broker. Omit PACTS to use it.');
  if (version === undefined || records !== undefined) return { pacts };
  throw new UsageError('--version needs --records or the broker. Add --records, or omit PACTS to use the broker.');
}

async function runningProvider({ values, env }: Arguments): Promise<Omit<VerifyOptions, 'source'>> {
  const { url = '', 'states-url': statesUrl } = values;
  const { HR_CLIENT_ID: id, HR_CLIENT_SECRET: secret } = env;
  const token = env['HR_TOKEN'] || (id && secret ? await requestToken(url, id, secret) : undefined);
  const post = (action: 'reset' | 'setup' | 'teardown', state = '', params: object = {}) =>
    postState(statesUrl, { action, params, state });
  return {
    provider: { url },
    states: Object.fromEntries(stateNames.map((name) => [name, (params: object) => post('setup', name, params)])),
    // Without an address of states, those without any still run.
    reset: () => (statesUrl === undefined ? undefined : post('reset')),
    async tearDown({ states }) {
      // oxlint-disable-next-line no-await-in-loop -- the last one first
      for (const [name, params] of states.toReversed()) await post('teardown', name, params);
    },
    ...(statesUrl !== undefined && { approvePayments: () => post('setup', APPROVED) }),
    token: () => token || missing('HR_TOKEN, or HR_CLIENT_ID and HR_CLIENT_SECRET'),
    tokenWithoutScope: () => env['HR_TOKEN_WITHOUT_SCOPE'] || missing('HR_TOKEN_WITHOUT_SCOPE'),
  };
}

/** Not of an interaction: the verification sets it up after one that submits a payment. */
const APPROVED = 'the submitted payments are approved';

function missing(names: string): never {
  throw new Error(`the pact needs a token. Set ${names}.`);
}

async function requestToken(url: string, id: string, secret: string): Promise<string> {
  const endpoint = url.replace(/\/+$/, '') + TOKEN_PATH;
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: API_SCOPE };
  const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) }).catch(() => undefined);
  const { data } = TokenResponse.safeParse(await response?.json().catch(() => undefined));
  if (response?.ok && data) return data.access_token;
  const why = response ? `status ${response.status}` : 'no response';
  const remedy = 'Check HR_CLIENT_ID, HR_CLIENT_SECRET and --url.';
  throw new HrTestingError('invalid-option', `${endpoint}: no token, ${why}. ${remedy}`);
}

async function postState(url: string | undefined, change: object): Promise<void> {
  const needed = 'an endpoint of the provider that accepts POST {"action", "state", "params"}';
  if (url === undefined) throw new Error(`no endpoint for provider states. Set --states-url to ${needed}.`);
  // A redirect, such as to a login page, does not set up a state.
  const request = { method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json' } } as const;
  const response = await fetch(url, { ...request, body: JSON.stringify(change) }).catch(() => undefined);
  await response?.body?.cancel();
  if (mediaTypeOf(response?.headers.get('content-type') ?? '') === 'text/html')
    throw new Error(`POST ${url} got a page of HTML. Set --states-url to ${needed}.`);
  if (!response?.ok)
    throw new Error(`POST ${url} got ${response ? response.status : 'no response'}. Set --states-url to ${needed}.`);
}
