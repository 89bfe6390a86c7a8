import { API_SCOPE, TOKEN_PATH, TokenResponse } from '@hr/schemas';
import { exampleTokens } from '../../contract/example-tokens.ts';
import { startFakeHrCloud } from '../../fake/start-fake-hr-cloud.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { stateNames } from '../../states/read-state.ts';
import { brokerFromEnvironment } from '../broker.ts';
import { recordVerification } from '../releases.ts';
import { scenarioStates } from '../scenario-states.ts';
import { VerificationFailedError, verificationReport } from '../verification-result.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { verifyProvider } from '../verify-provider.ts';

/** What a command gets. */
export interface Arguments {
  readonly pacts: readonly string[];
  /** Values of options by their names; of those that take none, `true`. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command prints, and whether it is a success. */
export interface Report {
  readonly text: string;
  readonly ok: boolean;
}

/** The program was called in a wrong way. */
export class UsageError extends Error {}

/** Verifies the fake or a running provider, and records or publishes the result for a version of it. */
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
          token: () => exampleTokens.valid,
          tokenWithoutScope: () => exampleTokens.withoutScope,
        }
      : await runningProvider(given);
    const result = await verifyProvider({ ...provider, source }).catch((error: unknown) => {
      if (error instanceof VerificationFailedError) return error.result;
      throw error;
    });
    if (version !== undefined && records !== undefined) {
      // It refuses a failed result, which is reported anyway.
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
    throw new UsageError('--version and --states-url need --url: they say nothing of the fake.');
  if (records !== undefined && (pacts.length === 0 || version === undefined))
    throw new UsageError('--records needs PACTS and --version.');
  if (broker) {
    const publish = version === undefined ? {} : { publish: { version } };
    return { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } };
  }
  if (pacts.length === 0) throw new UsageError('verify needs PACTS, or a broker in PACT_BROKER_BASE_URL.');
  if (branch !== undefined) throw new UsageError('--branch needs a broker: leave out PACTS.');
  if (version === undefined || records !== undefined) return { pacts };
  const remedy = 'add --records, or leave out PACTS for a broker.';
  throw new UsageError(`Nothing would be recorded for version ${version}: ${remedy}`);
}

async function runningProvider({ values, env }: Arguments): Promise<Omit<VerifyOptions, 'source'>> {
  const { url = '', 'states-url': statesUrl } = values;
  const { HR_CLIENT_ID: id, HR_CLIENT_SECRET: secret } = env;
  const token = env['HR_TOKEN'] || (id && secret ? await requestToken(url, id, secret) : undefined);
  const setUp = (state: string, params: object) => postState(statesUrl, { action: 'setup', params, state });
  return {
    provider: { url },
    states: Object.fromEntries(stateNames.map((name) => [name, (params: object) => setUp(name, params)])),
    // As Pact's own tools do, it posts a state without a name where an interaction has none.
    reset: ({ states }) => (statesUrl !== undefined && states.length === 0 ? setUp('', {}) : undefined),
    token: () => token || missing('HR_TOKEN, or HR_CLIENT_ID and HR_CLIENT_SECRET'),
    tokenWithoutScope: () => env['HR_TOKEN_WITHOUT_SCOPE'] || missing('HR_TOKEN_WITHOUT_SCOPE'),
  };
}

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
  throw new HrTestingError('invalid-option', `${endpoint} gave no token (${why}). ${remedy}`);
}

async function postState(url: string | undefined, change: object): Promise<void> {
  const needed = 'an address of the provider that takes POST {"state", "params", "action": "setup"}';
  if (url === undefined) throw new Error(`add --states-url, ${needed}.`);
  // A redirect, such as one to a login, sets up nothing.
  const request = { method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json' } } as const;
  const response = await fetch(url, { ...request, body: JSON.stringify(change) }).catch(() => undefined);
  await response?.body?.cancel();
  if (!response?.ok)
    throw new Error(`POST ${url} got ${response ? response.status : 'no response'}. It has to be ${needed}.`);
}
