import { API_SCOPE, TOKEN_PATH, TokenResponse } from '@hr/schemas';
import { exampleTokens } from '../../contract/example-tokens.ts';
import { startFakeHrCloud } from '../../fake/start-fake-hr-cloud.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { brokerFromEnvironment } from '../broker.ts';
import { cannotRun } from '../interaction-run.ts';
import { UsageError, type Arguments, type Report } from './command.ts';
import { statesAt } from './states-url.ts';
import { VerificationFailedError, verificationReport } from '../verification-result.ts';
import { scenarioStates, type VerifyOptions } from '../verify-options.ts';
import { verifyProvider } from '../verify-provider.ts';

/** Verifies the fake or a running provider, and records or publishes the result for its version. */
export async function verifyCommand(given: Arguments): Promise<Report> {
  const { url, json } = given.values;
  const source = sourceOf(given);
  const fake = url === undefined ? await startFakeHrCloud() : undefined;
  try {
    const provider = fake
      ? {
          provider: { url: fake.url },
          states: scenarioStates((scenario) => fake.load(scenario)),
          reset: () => fake.reset(),
          approvePayments: () => fake.payments.approveAll(),
          token: () => exampleTokens.valid,
          tokenWithoutScope: () => exampleTokens.withoutScope,
        }
      : await runningProvider(given);
    const result = await verifyProvider({ ...provider, source }).catch((error: unknown) => {
      if (error instanceof VerificationFailedError) return error.result;
      throw error;
    });
    return { text: json ? JSON.stringify(result, undefined, 2) : verificationReport(result), ok: result.ok };
  } finally {
    await fake?.stop();
  }
}

function sourceOf({ pacts, values, env }: Arguments): VerifyOptions['source'] {
  const { url, version, branch, 'build-url': buildUrl, records } = values;
  const broker = pacts.length > 0 ? undefined : brokerFromEnvironment(env);
  if (url === undefined && (version ?? values['states-url']) !== undefined)
    throw new UsageError('--version and --states-url need --url; the fake has no version.');
  const record = records !== undefined && version !== undefined && { file: records, version };
  if (records !== undefined && (pacts.length === 0 || !record))
    throw new UsageError('--records needs PACTS and --version.');
  if (buildUrl !== undefined && (!broker || version === undefined))
    throw new UsageError('--build-url needs the broker and --version. Omit PACTS to use the broker.');
  if (broker) {
    const publish = version !== undefined && { version, ...(buildUrl !== undefined && { buildUrl }) };
    return { broker: { ...broker, ...(branch !== undefined && { branch }), ...(publish && { publish }) } };
  }
  if (pacts.length === 0)
    throw new UsageError('verify needs PACTS or a broker. Name pact files, or set PACT_BROKER_BASE_URL.');
  if (branch !== undefined) throw new UsageError('--branch needs the broker. Omit PACTS to use it.');
  if (version === undefined || record) return { pacts, ...(record && { record }) };
  throw new UsageError('--version needs --records or the broker. Add --records, or omit PACTS to use the broker.');
}

async function runningProvider({ values, env }: Arguments): Promise<Omit<VerifyOptions, 'source'>> {
  const { url = '', 'states-url': statesUrl } = values;
  const { HR_CLIENT_ID: id, HR_CLIENT_SECRET: secret } = env;
  const token = env['HR_TOKEN'] || (id && secret ? await requestToken(url, id, secret) : undefined);
  return {
    provider: { url },
    ...statesAt(statesUrl),
    token: () => token || missing('HR_TOKEN, or HR_CLIENT_ID and HR_CLIENT_SECRET'),
    tokenWithoutScope: () => env['HR_TOKEN_WITHOUT_SCOPE'] || missing('HR_TOKEN_WITHOUT_SCOPE'),
  };
}

function missing(names: string): never {
  throw cannotRun(`the pact needs a token. Set ${names}.`);
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
