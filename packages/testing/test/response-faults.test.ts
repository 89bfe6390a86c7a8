import { VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import { expect, test } from 'vitest';
import { consumerWithParts } from './pact-parts.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import { startProvider } from './provider-under-test.ts';

/** The faults of a provider that responds with this text to each interaction. */
async function faultsOf(pact: object, text: string): Promise<readonly string[]> {
  const provider = await startProvider((response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
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

test.each([{ match: 'regex', regex: '(' }, { match: 'whatever' }])(
  'a rule that Pact cannot apply: %j',
  async (rule) => {
    const pact = pactOf('rules', [{ response: { lastName: 'Ek' }, rules: { '$.lastName': { matchers: [rule] } } }]);
    const faults = await faultsOf(pact, '{"lastName":"Kaya"}');
    expect(faults).toEqual(['body $.lastName: the pact has an invalid rule there. Correct it.']);
  },
);

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

test('a token that @hr/auth rejects is a fault', async () => {
  const { hr, held } = consumerWithParts();
  await hr.tokenRequest().run(({ baseUrl, clientId, clientSecret, scope = '' }) => {
    const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', scope };
    return fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) });
  });
  const interactions = held().map(({ providerStates: _states, ...each }) => each);
  const pact = { ...pactOf('tokens', []), interactions };
  const token = { access_token: 'x', token_type: 'Bearer', expires_in: 60 };
  const faults = (change: object) => faultsOf(pact, JSON.stringify({ ...token, ...change }));
  expect(await faults({})).toEqual([]);
  const place = 'body $.access_token: expected a value like "token", got';
  expect(await faults({ access_token: '' })).toEqual([`${place} an empty text.`]);
  expect(await faults({ access_token: 'a b' })).toEqual([`${place} text of the form a a.`]);
  expect(await faults({ expires_in: -5 })).toEqual([
    'body $.expires_in: expected a positive number, got another value.',
  ]);
});
