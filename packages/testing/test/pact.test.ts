import { expect, test } from 'vitest';
import {
  consumer,
  exampleTokens,
  type HrTestingError,
  type ContractCloud,
  type ContractTokenEndpoint,
} from '../src/pact/index.ts';
import { consumerWithParts } from './pact-parts.ts';

const submission = {
  path: { contractId: '1-77' },
  query: { billingPeriod: '2026-01' },
  body: { compensationComponentId: 'BONUS', amount: 100 },
};

function get({ baseUrl, token }: ContractCloud, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
}

function submit(
  { baseUrl, token }: ContractCloud,
  body: object = submission.body,
  headers: Record<string, string> = {},
) {
  return fetch(`${baseUrl}/api/v1/payrollContract/1-77/variable-payments?billingPeriod=2026-01`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function askToken({ baseUrl, clientId, clientSecret, scope }: ContractTokenEndpoint): Promise<Response> {
  const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const body = new URLSearchParams({ ...fields, ...(scope !== undefined && { scope }) });
  return fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body });
}

function errorOf(make: () => unknown): HrTestingError {
  try {
    make();
  } catch (error) {
    return error as HrTestingError;
  }
  throw new Error('nothing was refused');
}

test('responds with the example, returns what the code returns, and keeps the states', async () => {
  const { hr, held } = consumerWithParts();
  const interaction = hr.interaction('submitVariablePayment', {
    given: [
      ['a person', { id: '4711', address: null }],
      ['a contract', { payrollContractId: '1-77', personId: '4711' }],
    ],
    request: { ...submission, idempotencyKey: 'key, 1' },
    example: { payrollContractId: '1-77', amount: 100 },
  });
  const sent = { compensationComponentId: 'OTHER', amount: -2.5 };
  const given = await interaction.run(async (cloud) => {
    return (await submit(cloud, sent, { 'idempotency-key': 'key, 1' })).json();
  });
  // The kit adds what the client requires.
  expect(given).toMatchObject({ payrollContractId: '1-77', amount: 100 });
  const [{ description, providerStates, request, response }] = held() as [ReturnType<typeof held>[0] & object];
  expect(description).toBe('submitVariablePayment: 200 given a person and a contract');
  expect(interaction.description).toBe(description);
  expect(providerStates).toEqual([
    { name: 'a person', params: { id: '4711', address: null } },
    { name: 'a contract', params: { payrollContractId: '1-77', personId: '4711' } },
  ]);
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/v1/payrollContract/1-77/variable-payments',
    query: { billingPeriod: ['2026-01'] },
    headers: {
      Authorization: ['Bearer contract-token'],
      Accept: ['application/json'],
      'Content-Type': ['application/json'],
      'Idempotency-Key': ['key, 1'],
    },
    body: { content: submission.body },
  });
  expect(response).toMatchObject({
    status: 200,
    headers: { 'Content-Type': ['application/json'] },
    body: { content: { payrollContractId: '1-77', amount: 100 } },
  });
  expect(response.matchingRules.body).toHaveProperty(['$.amount', 'matchers'], [{ match: 'number' }]);
  const ofAmount = interaction.unsupportedRules.filter(({ pointer }) => pointer === '/amount');
  expect(ofAmount).toContainEqual({ of: 'request', pointer: '/amount', rule: 'may be missing' });
  expect(ofAmount).toContainEqual({ of: 'response', pointer: '/amount', rule: 'may be missing' });
});

test('writes parameters under their names in the URL', async () => {
  const { hr, held } = consumerWithParts();
  const { run } = hr.interaction('listTimeBookings', {
    request: { query: { from: '2026-01-01', to: '2026-01-31' } },
    example: [],
  });
  expect(
    await run(async (cloud) =>
      (await get(cloud, '/api/v1/time-bookings?endDate=2026-01-31&startDate=2026-01-01')).json(),
    ),
  ).toEqual([]);
  expect(held()[0]?.request.query).toEqual({ startDate: ['2026-01-01'], endDate: ['2026-01-31'] });
});

test('percent-encodes path parameters', async () => {
  const { hr, held } = consumerWithParts();
  const personId = 'a/b c?ä';
  const { run } = hr.interaction('listAbsences', { request: { path: { personId } }, example: [{ id: '1' }] });
  await run((cloud) => get(cloud, `/api/v1/persons/${encodeURIComponent(personId)}/absences`));
  expect(held()[0]?.request.path).toBe('/api/v1/persons/a%2Fb%20c%3F%C3%A4/absences');
});

test('matches every element of a list, and at least one', async () => {
  const { hr, held } = consumerWithParts();
  const { run } = hr.interaction('listPersons', { example: [{ id: '1', gender: 'FEMALE' }] });
  expect(await run(async (cloud) => (await get(cloud, '/api/v1/persons')).json())).toEqual([
    { id: '1', gender: 'FEMALE' },
  ]);
  const rules = held()[0]?.response.matchingRules.body;
  expect(rules?.['$']?.matchers).toEqual([{ match: 'type', min: 1 }]);
  expect(JSON.stringify(rules?.['$[*].gender'])).toContain('INTERSEX');
});

test('accepts null in a list of changes only', () => {
  const { hr } = consumerWithParts();
  const request = { query: { changedSince: '2026-01-01' } };
  expect(hr.interaction('listPersons', { request, example: [{ address: null }] })).toBeDefined();
  expect(() => hr.interaction('listPersons', { example: [{ address: null }] })).toThrow('/0/address');
});

test('brings each problem about by its state and token', async () => {
  const { hr, held } = consumerWithParts();
  const path = { contractId: '1-77' };
  const request = { path, query: { billingPeriod: '2026-01' }, body: submission.body, idempotencyKey: 'k' };
  const statuses = [];
  for (const { run } of hr.errors('submitVariablePayment', [401, 403, 404, 409, 422, 429, 503], {
    request,
    example: { type: '' },
  })) {
    const running = run(async (cloud) => {
      const answer = await submit(cloud, submission.body, { 'idempotency-key': 'k' });
      expect(answer.status).toBe(cloud.status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('retry-after')).toBe(cloud.status === 429 || cloud.status === 503 ? '0' : null);
      const { type } = (await answer.json()) as { type: string };
      return `${cloud.status} ${cloud.token} ${type.split(':').at(-1)}`;
    });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    statuses.push(await running);
  }
  expect(statuses).toEqual([
    '401 rejected-token unauthorized',
    '403 token-without-scope forbidden',
    '404 contract-token not-found',
    '409 contract-token idempotency-key-in-flight',
    '422 contract-token idempotency-key-reused',
    '429 contract-token too-many-requests',
    '503 contract-token unavailable',
  ]);
  const states = held().map(({ description, providerStates = [] }) => [description, providerStates]);
  const parameters = { idempotencyKey: 'k', payrollContractId: '1-77', billingPeriod: '2026-01' };
  expect(Object.fromEntries(states)).toEqual({
    'submitVariablePayment: 401': [],
    'submitVariablePayment: 403': [],
    'submitVariablePayment: 404': [],
    'submitVariablePayment: 409 given a payment being submitted with a key': [
      {
        name: 'a payment being submitted with a key',
        params: { idempotencyKey: 'k', payrollContractId: '1-77' },
      },
    ],
    'submitVariablePayment: 422 given a payment submitted with a key': [
      {
        name: 'a payment submitted with a key',
        params: { ...parameters, payment: { compensationComponentId: 'BONUS', amount: 101 } },
      },
    ],
    'submitVariablePayment: 429 given a used-up rate limit': [{ name: 'a used-up rate limit' }],
    'submitVariablePayment: 503 given an unavailable service': [{ name: 'an unavailable service' }],
  });
});

test('brings an outdated time component about by its state', async () => {
  const { hr, held } = consumerWithParts();
  const request = { path: { personId: '1' } };
  const [outdated] = hr.errors('listAbsences', [409], { request, example: { type: '', status: 0 } });
  await outdated?.run((cloud) => get(cloud, '/api/v1/persons/1/absences'));
  expect(held()[0]).toMatchObject({
    providerStates: [{ name: 'an outdated time component' }],
    response: { body: { content: { type: 'urn:hr-cloud:problem:time-component-version', status: 409 } } },
  });
});

test('keeps only the status and Retry-After of a problem without an example', async () => {
  const { hr, held } = consumerWithParts();
  await Promise.all(
    hr.errors('listPersons', [401, 429]).map(({ run }) => run((cloud) => get(cloud, '/api/v1/persons'))),
  );
  const answers = held().map(({ response }) => [response.body.content, Object.keys(response.headers).toSorted()]);
  expect(answers).toHaveLength(2);
  expect(answers).toContainEqual([{ status: 401 }, ['Content-Type']]);
  expect(answers).toContainEqual([{ status: 429 }, ['Content-Type', 'Retry-After']]);
});

test('keeps only the fields of the example of a problem', async () => {
  const { hr, held } = consumerWithParts();
  const request = { path: { personId: '1' }, query: { from: '2026-02-01', to: '2026-01-01' } };
  const example = { status: 400, errors: [{ pointer: '/from' }] } as const;
  const { run } = hr.interaction('listAbsences', { request, status: 400, example, description: 'days out of order' });
  await run((cloud) => get(cloud, '/api/v1/persons/1/absences?from=2026-02-01&to=2026-01-01'));
  expect(held()[0]).toMatchObject({ description: 'days out of order', response: { body: { content: example } } });
});

const credentials = { clientId: 'contract-client', clientSecret: 'contract-secret' };
const token = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 };

test.each([
  [{}, 200, 'api:use', [{ name: 'an API client', params: credentials }], token],
  [{ scope: null }, 200, null, [{ name: 'an API client', params: credentials }], token],
  [
    { example: { access_token: 'x' } },
    200,
    'api:use',
    [{ name: 'an API client', params: credentials }],
    { access_token: 'x' },
  ],
  [
    { status: 400 },
    400,
    'operator',
    [{ name: 'an API client', params: { ...credentials, scope: 'api:use' } }],
    { error: 'invalid_scope' },
  ],
  [{ status: 401 }, 401, 'api:use', [], { error: 'invalid_client' }],
  [{ status: 503 }, 503, 'api:use', [{ name: 'an unavailable service' }], { status: 503 }],
] as const)('a token request %j has the status %i', async (expectation, status, scope, states, body) => {
  const { hr, held } = consumerWithParts();
  const answer = await hr.tokenRequest(expectation).run(askToken);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject(body);
  const [{ providerStates = [], request }] = held() as [ReturnType<typeof held>[0] & object];
  expect(providerStates).toEqual(states);
  expect(request.path).toBe('/api/oauth2/token');
  expect(new URLSearchParams(request.body?.content as string).get('scope')).toBe(scope);
});

test('sends the secret as HTTP Basic', async () => {
  const { hr, held } = consumerWithParts();
  await hr.tokenRequest({ authentication: 'basic' }).run(({ baseUrl, clientId, clientSecret, scope = '' }) =>
    fetch(`${baseUrl}/api/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    }),
  );
  expect(held()[0]?.request.headers['Authorization']).toEqual([`Basic ${btoa('contract-client:contract-secret')}`]);
  expect(held()[0]?.request.body?.content).toBe('grant_type=client_credentials&scope=api%3Ause');
});

test('throws what the code throws, and keeps the interaction', async () => {
  const { hr, held } = consumerWithParts();
  const thrown = new Error('the answer is not understood');
  const running = hr.interaction('listPersons', { example: [] }).run(async (cloud) => {
    await get(cloud, '/api/v1/persons');
    throw thrown;
  });
  await expect(running).rejects.toBe(thrown);
  expect(held()).toHaveLength(1);
});

test('accepts the same request twice, as after a lost response', async () => {
  const { hr, held } = consumerWithParts();
  await hr.interaction('listPersons', { example: [] }).run(async (cloud) => {
    await get(cloud, '/api/v1/persons');
    await get(cloud, '/api/v1/persons');
  });
  expect(held()).toHaveLength(1);
});

test('writes specification 4 with form bodies as text, and reports nothing to the makers of Pact', async () => {
  const { hr, held } = consumerWithParts();
  await hr.tokenRequest().run(askToken);
  const form = 'grant_type=client_credentials&scope=api%3Ause&client_id=contract-client&client_secret=contract-secret';
  expect(held()[0]).toMatchObject({ type: 'Synchronous/HTTP', request: { body: { content: form, encoded: false } } });
  expect(process.env['PACT_DO_NOT_TRACK']).toBe('true');
});

test('stops the mock', async () => {
  const { hr } = consumerWithParts();
  const baseUrl = await hr.interaction('listPersons', { example: [] }).run(async (cloud) => {
    await get(cloud, '/api/v1/persons');
    expect(new URL(cloud.baseUrl).hostname).toBe('127.0.0.1');
    return cloud.baseUrl;
  });
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

test('runs interactions concurrently', async () => {
  const { hr, held } = consumerWithParts();
  const running = Array.from({ length: 20 }, (_, index) => {
    const { run } = hr.interaction('listAbsences', { request: { path: { personId: `${index}` } }, example: [] });
    return run((cloud) => get(cloud, `/api/v1/persons/${index}/absences`));
  });
  await Promise.all(running);
  expect(new Set(held().map(({ request }) => request.path)).size).toBe(20);
});

test.each(['../elsewhere', '', 'a b', '.hidden'])('rejects the name %j, which is no file name', (name) => {
  expect(() => consumer({ name })).toThrow('name: not a file name');
});

test('rejects values that are invalid for the API, with their place', () => {
  const { hr } = consumerWithParts();
  const refused = [
    () => hr.interaction('listAbsences', { request: { path: { personId: '' } }, example: [] }),
    () => hr.interaction('listPersons', { request: { query: { changedSince: '2026-02-30' } }, example: [] }),
    () =>
      hr.interaction('submitVariablePayment', {
        request: { ...submission, body: { compensationComponentId: 'X' } as never },
        example: {},
      }),
    () => hr.interaction('listPersons', { example: [{ dateOfBirth: '1.2.1990' }] }),
    () => hr.interaction('listPersons', { given: ['a persn' as 'a person', { id: '1' }], example: [] }),
    () => hr.interaction('listPersons', { given: ['a person', { id: '5', dateOfBirth: 'x' }], example: [] }),
    () => hr.interaction('listPeople' as 'listPersons', { example: [] }),
    () => hr.errors('toString' as 'listPersons', [401]),
    () => hr.interaction('listPersons', { status: 400 }),
    () => hr.interaction('listPersons', { status: 404 as 401 }),
    () => hr.interaction('listPersons', { status: 500 as 401 }),
    () => hr.errors('submitVariablePayment', [422], { request: submission }),
    () => hr.errors('listPersons', []),
    () => hr.errors('listPersons', [404 as 401]),
    () => hr.errors('listPersons', [500 as 401]),
    () => hr.interaction('updatePerson', { request: { path: { id: '1' }, body: {} }, example: { id: '2' } }),
    () => hr.interaction('listPersons', undefined as never),
    () => hr.interaction('listPersons', { exampl2: [] } as never),
    () => hr.interaction('listPersons', { request: { filter: 1 }, example: [] } as never),
    () => hr.interaction('updatePerson', { request: { idempotencyKey: 'k' } } as never),
    () => hr.emptyList('listPersons', { status: 200 } as never),
    () => hr.errors('listPersons', [401], { status: 401 } as never),
    () => hr.tokenRequest({ status: 401, example: {} } as never),
    () => hr.tokenRequest({ status: 418 as 401 }),
    () => hr.tokenRequest({ authentication: 'jwt' as 'form' }),
    () => consumer({} as { name: string }),
    () => consumer({ name: 'payroll', folder: 'pacts' } as { name: string }),
  ];
  const errors = refused.map(errorOf);
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual(refused.map(() => 'HrTestingError invalid-option'));
  expect(errors.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "listAbsences: request: invalid for the API: path/personId must have at least 1 characters. Correct it.",
      "listPersons: request: invalid for the API: query/changedSince must be a calendar date YYYY-MM-DD that exists. Correct it.",
      "submitVariablePayment: request: invalid for the API: body needs at least one of amount, hours, days, hourlyFactor, percentage. Correct it.",
      "example: invalid for the API: /0/dateOfBirth must be a calendar date YYYY-MM-DD that exists. Correct it.",
      "given: provider state "a persn": unknown. Use one of: a person, a contract, a salary, an approved payment, a decided payment, a payment submitted with a key, a payment being submitted with a key, a day of time bookings, an absence, a person who changed, a deleted person, a deleted day of time bookings, a deleted absence, an erased person, a webhook endpoint, a webhook delivery, an API client, a client with grants, an outdated time component, a used-up rate limit, an unavailable service.",
      "given: provider state "a person": /dateOfBirth must be a calendar date YYYY-MM-DD that exists.",
      "operation: unknown operation "listPeople". Use one of listPersons, updatePerson, submitVariablePayment, listVariablePayments, listVariablePaymentDecisions, listTimeBookings, listSalaryHistory, listAllSalaries, listAbsences, listAllAbsences, getChanges, createWebhookEndpoint, listWebhookEndpoints, listWebhookDeliveries, testWebhookEndpoint, rotateWebhookSecret, deleteWebhookEndpoint.",
      "operation: unknown operation "toString". Use one of listPersons, updatePerson, submitVariablePayment, listVariablePayments, listVariablePaymentDecisions, listTimeBookings, listSalaryHistory, listAllSalaries, listAbsences, listAllAbsences, getChanges, createWebhookEndpoint, listWebhookEndpoints, listWebhookDeliveries, testWebhookEndpoint, rotateWebhookSecret, deleteWebhookEndpoint.",
      "listPersons: request: valid, but the status is 400. Break a rule of the API.",
      "listPersons: no contract can bring the status 404 about here. Use one of 400, 401, 403, 429, 503.",
      "listPersons: no contract can bring the status 500 about here. Use one of 400, 401, 403, 429, 503.",
      "request: idempotencyKey is missing. Statuses 409 and 422 are about it.",
      "statuses: not a list, or empty, so that nothing is tested. Give at least one.",
      "listPersons: no contract can bring the status 404 about here. Use one of 401, 403, 429, 503.",
      "listPersons: no contract can bring the status 500 about here. Use one of 401, 403, 429, 503.",
      "example: the id at $.id is not the one that "given" or the path names: 1. Use that id, or leave the field out.",
      "listPersons: no options. Pass given, request, status, example, description, cursor.",
      "listPersons: unknown option "exampl2". Use given, request, status, example, description, cursor.",
      "listPersons: request: unknown option "filter". Use path, query.",
      "updatePerson: request: unknown option "idempotencyKey". Use path, query, body.",
      "listPersons: unknown option "status". Use given, request, description.",
      "listPersons: unknown option "status". Use request, example.",
      "requestToken: unknown option "example". Use status, authentication, scope, description.",
      "requestToken: unknown status 418. Use 200, 400, 401, 503.",
      "requestToken: unknown authentication. Use form or basic.",
      "name: not a file name. Use letters, digits, -, _ and dots.",
      "consumer: unknown option "folder". Use name, contact, dir.",
    ]
  `);
});

test('exports the example tokens', () => {
  expect(exampleTokens).toEqual({
    valid: 'contract-token',
    rejected: 'rejected-token',
    withoutScope: 'token-without-scope',
  });
});
