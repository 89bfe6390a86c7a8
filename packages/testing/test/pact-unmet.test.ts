import { expect, test } from 'vitest';
import type { ContractCloud } from '../src/pact/index.ts';
import { consumerWithParts } from './pact-parts.ts';

const target = '/api/v1/payrollContract/1-77/variable-payments';
const right = {
  method: 'POST',
  path: `${target}?billingPeriod=2026-01`,
  type: 'application/json',
  key: 'k' as string | undefined,
  accept: 'application/json',
  authorization: 'Bearer contract-token' as string | undefined,
  body: '{"compensationComponentId":"BONUS","amount":100}' as string | null,
};

type Sent = typeof right;

async function send({ baseUrl }: ContractCloud, { method, path, type, key, accept, authorization, body }: Sent) {
  const headers = { 'content-type': type, accept, ...(key && { 'idempotency-key': key }) };
  return fetch(baseUrl + path, { method, headers: { ...headers, ...(authorization && { authorization }) }, body });
}

function change({ baseUrl, token }: ContractCloud, patch: object): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/persons/1`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  });
}

/** What is wrong when the consumer sends this instead. */
async function faultsOf(sent: Partial<Sent>): Promise<readonly string[]> {
  const { hr, held } = consumerWithParts();
  const interaction = hr.interaction('submitVariablePayment', {
    description: 'a bonus',
    request: {
      path: { contractId: '1-77' },
      query: { billingPeriod: '2026-01' },
      body: { compensationComponentId: 'BONUS', amount: 100 },
      idempotencyKey: 'k',
    },
    example: { amount: 100 },
  });
  const error = await interaction
    .run((cloud) => send(cloud, { ...right, ...sent }))
    .then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
  expect(held()).toHaveLength(error === undefined ? 1 : 0);
  if (!error) return [];
  expect(error).toMatchObject({ name: 'HrTestingError', code: 'contract-unmet' });
  // The user's code comes first.
  expect(error.stack).not.toContain('src/pact/');
  const [title, ...faults] = error.message.split('\n  ');
  expect(title).toBe('"a bonus": the code did not send the request of the contract.');
  return faults;
}

test('accepts requests that match the contract', async () => {
  expect(await faultsOf({})).toEqual([]);
  expect(await faultsOf({ body: '{"amount":-1.5,"compensationComponentId":"X"}', accept: '*/*' })).toEqual([]);
  expect(await faultsOf({ accept: 'application/json, text/plain, */*' })).toEqual([]);
  expect(await faultsOf({ type: 'application/json; charset=utf-8' })).toEqual([]);
  expect(await faultsOf({ type: 'Application/JSON;profile=x; charset=utf-8' })).toEqual([]);
  expect(await faultsOf({ authorization: 'Bearer any' })).toEqual([]);
});

test.each([
  [{ method: 'PUT' }, `It sent PUT ${right.path} and not POST ${right.path}.`],
  [{ path: '/api/v1/persons' }, `It sent POST /api/v1/persons and not POST ${right.path}.`],
  [{ path: target }, 'The query parameter billingPeriod is missing.'],
  [{ path: `${target}?billingPeriod=2026-02` }, 'The query parameter billingPeriod is 2026-02 and not 2026-01.'],
  [{ path: `${right.path}&page=2` }, 'The query parameter page is not in the contract.'],
  [{ key: undefined }, 'The header Idempotency-Key is missing.'],
  [{ key: 'z' }, 'The header Idempotency-Key is z and not k.'],
  [{ accept: 'text/html' }, 'The header Accept is text/html and not application/json.'],
  [{ authorization: undefined }, 'The header Authorization is missing.'],
  [{ body: null }, 'The body is missing.'],
  [{ body: '{"compensationComponentId":"BONUS"}' }, 'The body/amount is missing.'],
  [{ body: '{"compensationComponentId":"BONUS","amount":1,"note":"x"}' }, 'The body/note is not in the contract.'],
  [{ body: '{"compensationComponentId":"BONUS","amount":"1"}' }, 'The body/amount is a string and not a number.'],
  [{ body: '{"compensationComponentId":"BONUS","amount":null}' }, 'The body/amount is null and not a number.'],
  [
    { body: '{"compensationComponentId":["BONUS"],"amount":1}' },
    'The body/compensationComponentId is an array and not a string.',
  ],
  [{ body: '[]' }, 'The body is an array and not an object.'],
  [{ body: '{' }, 'The body is not JSON.'],
])('describes the difference of %j', async (sent, fault) => {
  expect(await faultsOf(sent)).toEqual([fault]);
});

test('describes a body of another media type', async () => {
  expect(await faultsOf({ type: 'text/plain' })).toEqual([
    'The body is text/plain and not application/json.',
    'The header Content-Type is text/plain and not application/json.',
  ]);
});

test.each([
  [
    { bankDetails: { iban: 'DE89370400440532013000' } },
    { bankDetails: { iban: 'no' } },
    /^The body\/bankDetails\/iban is not text like \^\[A-Z\]/,
  ],
] as const)('describes how %j differs from %j', async (body, sent, sentence) => {
  const { hr } = consumerWithParts();
  const { run } = hr.interaction('updatePerson', { request: { path: { id: '1' }, body }, example: { id: '1' } });
  const error: unknown = await run((cloud) => change(cloud, sent)).catch((thrown: unknown) => thrown);
  expect((error as Error).message.split('\n  ').slice(1)).toEqual([expect.stringMatching(sentence)]);
});

test('matches an invalid body by value', async () => {
  const { hr } = consumerWithParts();
  const request = { path: { id: '1' }, body: { lastName: '', customFields: { key: 1 } } as object };
  const { run } = hr.interaction('updatePerson', { request, status: 400 });
  const running = run((cloud) => change(cloud, { lastName: 'x', customFields: { key: 2 } }));
  await expect(running).rejects.toThrow(
    /\n {2}The body\/customFields\/key is another value than 1\.\n {2}The body\/lastName is another value than ""\./,
  );
});

test('describes the difference of retries once', async () => {
  const { hr } = consumerWithParts();
  const running = hr.interaction('listPersons', { example: [] }).run(async ({ baseUrl, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${baseUrl}/api/v1/persons?page=2`, { headers });
    await fetch(`${baseUrl}/api/v1/persons?page=2`, { headers });
  });
  await expect(running).rejects.toThrow(
    /of the contract\.\n {2}The query parameter page is not in the contract[^\n]*$/,
  );
});

test('describes the differences of several requests', async () => {
  const { hr } = consumerWithParts();
  const running = hr.interaction('listPersons', { example: [] }).run(async ({ baseUrl, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${baseUrl}/api/v1/persons`, { headers });
    await fetch(`${baseUrl}/api/v1/persons?page=2`, { headers });
    await fetch(`${baseUrl}/health`, { headers });
  });
  await expect(running).rejects.toThrow(
    /It sent GET \/health and not GET \/api\/v1\/persons\.\n {2}The query parameter page is not in the contract/,
  );
});

test('rejects code that sends nothing', async () => {
  const { hr, held } = consumerWithParts();
  const running = hr.interaction('listPersons', { example: [] }).run(() => []);
  await expect(running).rejects.toThrow(
    '"listPersons: 200": the code did not send the request of the contract.\n  It did not send GET /api/v1/persons.',
  );
  expect(held()).toEqual([]);
});

test('keeps the error of the code as the cause', async () => {
  const { hr } = consumerWithParts();
  const thrown = new Error('500');
  const running = hr.interaction('listPersons', { example: [] }).run(async ({ baseUrl }) => {
    await fetch(`${baseUrl}/elsewhere`);
    throw thrown;
  });
  await expect(running).rejects.toMatchObject({ code: 'contract-unmet', cause: thrown });
});

test('shows no secret in messages', async () => {
  const { hr } = consumerWithParts();
  const secret = 'very-secret';
  const messages = await Promise.all([
    faultsOf({ authorization: `Basic ${secret}` }),
    hr
      .tokenRequest()
      .run(({ baseUrl, clientId }) => {
        const form = { grant_type: 'client_credentials', scope: 'api:use', client_id: clientId, client_secret: secret };
        return fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
      })
      .catch((error: unknown) => String(error)),
  ]);
  expect(JSON.stringify(messages)).not.toContain(secret);
  expect(messages).toMatchInlineSnapshot(`
    [
      [
        "The header Authorization differs. Use the token that run gives to your code.",
      ],
      "HrTestingError: "requestToken: 200 given an API client": the code did not send the request of the contract.
      The body/client_secret differs. Use the secret that run gives to your code.",
    ]
  `);
});
