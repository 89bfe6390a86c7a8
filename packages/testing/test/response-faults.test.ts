import { VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import { expect, test } from 'vitest';
import { consumerWithParts } from './pact-parts.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import { startProvider } from './provider-under-test.ts';

/** The faults of a provider that responds with these texts, one to each interaction. */
async function faultsOf(pact: object, ...responses: readonly (string | 401)[]): Promise<readonly string[]> {
  const texts = responses.values();
  const provider = await startProvider((response) => {
    const { value = '' } = texts.next();
    response.writeHead(value === 401 ? 401 : 200, { 'Content-Type': 'application/json' }).end(String(value));
  });
  const source = { pacts: [await jsonFile(pact)] };
  const result = await verifyProvider({ provider, source, states: {}, token: () => 'real' }).catch((error: unknown) => {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  });
  await provider.stop();
  return result.interactions.flatMap(({ faults }) => faults.map(({ place, message }) => `${place}: ${message}`));
}

test('an integer is one however it is written, and other numbers are none', async () => {
  const numbers = ['2026.0', '2026e0', '20260e-1', '1', '2026.5', '2026e-1'];
  const rules = { '$[*]': { matchers: [{ match: 'integer' }] } };
  expect(
    await faultsOf(pactOf('rules', [{ response: numbers.map(() => 2026), rules }]), `[${numbers.join()}]`),
  ).toEqual([
    'body $[4]: expected an integer, got another value.',
    'body $[5]: expected an integer, got another value.',
  ]);
});

/** A list of salaries of these months. */
function months(...list: readonly number[]): string {
  return JSON.stringify(list.map((month) => ({ year: 2026, month, totalSalary: 1 })));
}

test('a list has what its filters keep, each record once, in the order of the API', async () => {
  const path = '/api/v1/payrollContract/1-77/salaries/history';
  const rules = { $: { matchers: [{ match: 'type', min: 1 }] } };
  const query = { from: ['2026-02'], to: ['2026-03'] };
  const response = [{ year: 2026, month: 2 }];
  const interactions = Array.from({ length: 6 }, () => ({ path, query, response, rules }));
  const given = [months(2, 3), months(1, 2), months(2, 4), months(2, 2), months(3, 2), '[null]'];
  expect(await faultsOf(pactOf('reader of months', interactions), ...given)).toEqual([
    'body $: expected only what the filters of the request keep, got something else.',
    'body $: expected only what the filters of the request keep, got something else.',
    'body $: expected each record once, got one again.',
    'body $: expected the order of the API, got another.',
    'body $[0]: expected an object, got null.',
  ]);
  const others = interactions.map((each) => ({ ...each, response: [{ totalSalary: 1 }] }));
  expect(await faultsOf(pactOf('reader of totals', others), ...given)).toEqual([
    'body $[0]: expected an object, got null.',
  ]);
});

test('a rule that Pact cannot apply is a fault of the pact', async () => {
  const interactions = [{ match: 'regex', regex: '(' }, { match: 'whatever' }].map((rule) => {
    return { response: { lastName: 'Ek' }, rules: { '$.lastName': { matchers: [rule] } } };
  });
  const response = '{"lastName":"Kaya"}';
  const fault = 'body $.lastName: the pact has an invalid rule there. Correct it.';
  expect(await faultsOf(pactOf('rules', interactions), response, response)).toEqual([fault, fault]);
});

test('a pact that needs a plugin says so', async () => {
  const { metadata, ...pact } = pactOf('plugins', [{ response: [] }]);
  const plugins = [{ name: 'protobuf', version: '1', configuration: {} }];
  await expect(faultsOf({ ...pact, metadata: { ...metadata, plugins } }, '[]')).rejects.toMatchObject({
    code: 'verification-failed',
    message: expect.stringContaining('needs a Pact plugin, which the verifier does not run.') as string,
  });
});

test('a pact of version 4 that is labelled version 3 says so', async () => {
  const pact = { ...pactOf('label', [{ response: [] }]), metadata: { pactSpecification: { version: '3.0.0' } } };
  await expect(faultsOf(pact, '[]')).rejects.toThrow(
    '/metadata/pactSpecification/version must be 4, because the interactions are of version 4',
  );
});

test('a token that @hr/auth or the provider rejects is a fault', async () => {
  const { hr, held } = consumerWithParts();
  await hr.tokenRequest().run(({ baseUrl, clientId, clientSecret, scope = '' }) => {
    const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', scope };
    return fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) });
  });
  const token = { access_token: 'x', token_type: 'Bearer', expires_in: 60 };
  const changes = [{}, {}, { access_token: '' }, { access_token: 'a b' }, { expires_in: -5 }];
  const interactions = changes.flatMap((_, index) =>
    held().map(({ providerStates: _states, ...each }) => ({ ...each, description: `token ${index}` })),
  );
  // A token of the right form is tried.
  const [accepted, unknown, ...others] = changes.map((change) => JSON.stringify({ ...token, ...change }));
  const responses = [accepted ?? '', '[]', unknown ?? '', 401, ...others] as const;
  const place = 'body $.access_token: expected a value like "token", got';
  expect(await faultsOf({ ...pactOf('tokens', []), interactions }, ...responses)).toEqual([
    'read back $.access_token: expected a token that the provider accepts, got status 401 for it.',
    `${place} an empty text.`,
    `${place} text of the form a a.`,
    'body $.expires_in: expected a positive number, got another value.',
  ]);
});
