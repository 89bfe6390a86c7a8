import { operations, type ListOperationId, type Operation, type OperationId } from '@hr/schemas';
import { responseCheck } from '@hr/schemas/checks';
import {
  checkDrift,
  scenarioStates,
  verifyProvider,
  VerificationFailedError,
  type VerificationResult,
} from '@hr/testing/provider';
import { expect, test } from 'vitest';
import { startFakeHrCloud, type FakeHrCloud, type RunningFakeHrCloud } from '../src/fake/index.ts';
import { absent, type Consumer, type ContractCloud, type Interaction } from '../src/pact/index.ts';
import type { Given, ProviderState } from '../src/states/index.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import { consumerWithParts, type Held } from './pact-parts.ts';
import { json, startProvider, type ProviderUnderTest } from './provider-under-test.ts';

const absences = { path: { personId: '4711' } };
const contract = { path: { contractId: '1-77' } };

function listPersons({ baseUrl, token }: ContractCloud): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/persons`, { headers: { authorization: `Bearer ${token}` } });
}

/** The interaction of a contract after a run, and what the mock sent. */
async function runOf(
  make: (hr: Consumer) => Interaction<ContractCloud>,
  path: string,
): Promise<{ held: Held; body: unknown }> {
  const { hr, held } = consumerWithParts();
  const body: unknown = await make(hr).run(async ({ baseUrl, token }) => {
    return (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })).json();
  });
  return { held: held()[0] as Held, body };
}

test('the kit adds the fields that the client requires, at any depth, and says which', async () => {
  const { held, body } = await runOf(
    (hr) =>
      hr.interaction('listPersons', {
        example: [{ lastName: 'Ek', employments: [{ start: '2021-07-01' }], groups: [{}], legalEntity: { id: 'own' } }],
      }),
    '/api/v1/persons',
  );
  expect(body).toEqual([
    {
      id: expect.stringMatching(/^\d+$/) as string,
      lastName: 'Ek',
      employments: [{ payrollContractId: expect.any(String) as string, start: '2021-07-01' }],
      groups: [{ id: expect.any(String) as string }],
      legalEntity: { id: 'own' },
    },
  ]);
  expect(held['comments']).toEqual({
    text: [
      'Added for @hr/client, which requires them: $[*].employments[*].payrollContractId, $[*].groups[*].id, $[*].id',
    ],
  });
  expect(held.response.matchingRules.body?.['$[*].groups[*].id']?.matchers).toEqual([{ match: 'type' }]);
});

test('a field that is absent is neither sent by the mock nor by a provider', async () => {
  const given: Given = ['a person', { id: '4711', jobTitle: null }];
  const { held, body } = await runOf(
    (hr) => hr.interaction('listPersons', { given, example: [{ id: '4711', lastName: 'Ek', jobTitle: absent }] }),
    '/api/v1/persons',
  );
  expect(body).toEqual([{ id: '4711', lastName: 'Ek' }]);
  expect(held['comments']).toMatchObject({ absent: ['$[0].jobTitle'] });

  const source = { pacts: [await jsonFile({ ...pactOf('absent', []), interactions: [held] })] };
  const faultsOf = async (persons: readonly object[]): Promise<unknown> => {
    const provider = await startProvider(json(persons));
    const options = { provider, source, states: scenarioStates(() => {}), token: () => 'contract-token' };
    const result = await verifyProvider(options).catch((error: VerificationFailedError) => error.result);
    await provider.stop();
    return result.interactions.flatMap(({ faults }) => faults);
  };
  const ada = { id: '4711', lastName: 'Ek' };
  expect(await faultsOf([ada, { ...ada, id: '4712', jobTitle: 'Bäcker' }])).toEqual([]);
  expect(await faultsOf([{ ...ada, jobTitle: 'Bäcker' }])).toEqual([
    { place: 'body $[0].jobTitle', message: 'expected no such field, got one.' },
  ]);
  const { hr } = consumerWithParts();
  const require = () => hr.interaction('listPersons', { given, example: [{ lastName: 'Ek', id: absent as never }] });
  expect(require).toThrow('example: $[0].id is absent, but @hr/client requires it. Leave it out.');
});

test('an id is that of the request and matched by value, and own values win', async () => {
  const { held, body } = await runOf(
    (hr) => hr.interaction('listAbsences', { request: absences, example: [{ id: 'own', amount: 5 }] }),
    '/api/v1/persons/4711/absences',
  );
  expect(body).toEqual([
    { id: 'own', amount: 5, personId: '4711', startDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
  ]);
  expect(held.response.matchingRules.body?.['$[*].personId']?.matchers).toEqual([{ match: 'equality' }]);
  expect(held['comments']).toEqual({
    text: ['Added for @hr/client, which requires them: $[*].personId, $[*].startDate'],
  });
});

test('nothing is added to an example that has all, to an empty list, or to a problem', async () => {
  const { hr, held } = consumerWithParts();
  await hr.interaction('listPersons', { example: [{ id: '1' }], description: 'all' }).run(listPersons);
  await hr.interaction('listPersons', { example: [] }).run(listPersons);
  await hr.interaction('listPersons', { status: 401 }).run(listPersons);
  expect(held().map(({ comments, response }) => [comments, response.body.content])).toEqual([
    [undefined, [{ id: '1' }]],
    [undefined, []],
    [undefined, { status: 401 }],
  ]);
});

const endpoint = { path: { endpointId: '4711' } };
const requests: { readonly [Id in OperationId]: object } = {
  listPersons: {},
  updatePerson: { path: { id: '4711' }, body: {} },
  submitVariablePayment: {
    ...contract,
    query: { billingPeriod: '2026-01' },
    body: { compensationComponentId: 'BONUS', amount: 1 },
  },
  listVariablePayments: contract,
  listTimeBookings: {},
  listSalaryHistory: contract,
  listVariablePaymentDecisions: {},
  listAllSalaries: {},
  listAbsences: absences,
  listAllAbsences: {},
  getChanges: {},
  createWebhookEndpoint: { body: { url: 'https://hooks.example.com/hr' } },
  listWebhookEndpoints: {},
  listWebhookDeliveries: endpoint,
  testWebhookEndpoint: endpoint,
  rotateWebhookSecret: endpoint,
  deleteWebhookEndpoint: endpoint,
};

function pathOf(id: OperationId): string {
  return operations[id].path.replace('{contractId}', '1-77').replace(/\{\w+\}/, '4711');
}

test.each(Object.entries(requests) as [OperationId, object][])(
  'the client accepts an example of %s that says nothing',
  async (id, request) => {
    const { hr, held } = consumerWithParts();
    const { list, method } = operations[id];
    const of = { request, example: list ? [{}, {}] : {} } as never;
    const [one, other] = [hr.interaction(id, of), hr.interaction(id, of)];
    const path = pathOf(id);
    const { query, body } = request as { query?: Record<string, string>; body?: object };
    const send = async ({ baseUrl, token }: ContractCloud): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
      const url = `${baseUrl}${path}?${new URLSearchParams(query).toString()}`;
      const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return response.json();
    };
    const content = await one.run(send);
    const elements = (list ? content : [content]) as unknown[];
    expect(elements.map((element) => responseCheck(id)(element))).toEqual(elements.map(() => []));
    // The same each time.
    expect(await other.run(send)).toEqual(content);
    expect(held()[0]).toEqual(held()[1]);
  },
);

test('a contract with added fields and several elements passes', async () => {
  const given: Given = [absence, ['an absence', { personId: '4711' }]];
  const { held } = await runOf(
    (hr) => hr.interaction('listAbsences', { given, request: absences, example: [{ amount: 5 }, { amount: 1 }] }),
    '/api/v1/persons/4711/absences',
  );
  await using fake = await startFakeHrCloud();
  const { interactions } = await verifyProvider({
    provider: { url: fake.url },
    source: { pacts: [await jsonFile({ ...pactOf('added', []), interactions: [held] })] },
    states: scenarioStates((scenario) => fake.load(scenario)),
    token: () => 'contract-token',
  });
  expect(interactions.map(({ faults }) => faults)).toEqual([[]]);
});

test('an example of two elements holds that there are at least two', async () => {
  const { held, body } = await runOf(
    (hr) => hr.interaction('listAbsences', { request: absences, example: [{ id: '1' }, { id: '2' }] }),
    '/api/v1/persons/4711/absences',
  );
  expect(body).toMatchObject([{ id: '1' }, { id: '2' }]);
  expect(held.response.matchingRules.body?.['$']?.matchers).toEqual([{ match: 'type', min: 2 }]);
});

test('an example that contradicts the request is refused', () => {
  const { hr } = consumerWithParts();
  expect(() => hr.interaction('listAbsences', { request: absences, example: [{ personId: '4712' }] })).toThrow(
    'example: the id at $[*].personId is not the one that "given" or the path names: 4711. Use that id, or leave the field out.',
  );
});

const changedSince = '2026-01-20';
const changed: ProviderState = [
  'a person who changed',
  { id: '4711', systems: ['time', 'master'], since: '2026-01-19' },
];
const payment: ProviderState = ['an approved payment', { payrollContractId: '1-77', billingPeriod: '2025-12' }];
const salary: ProviderState = ['a salary', { payrollContractId: '1-77', year: 2026, month: 1 }];
const day: ProviderState = ['a day of time bookings', { personId: '4711', date: '2026-01-15' }];
const absence: ProviderState = ['an absence', { personId: '4711', startDate: '2026-01-12', endDate: '2026-01-16' }];

/** The filters of every list, each with what exists outside of it, and how the URL has the filter. */
const outsides: readonly [id: ListOperationId, given: Given, query: Record<string, string>, search: string][] = [
  ['listPersons', changed, { changedSince }, 'changedSince=2026-01-20'],
  ['listVariablePayments', payment, { billingPeriod: '2026-01' }, 'billingPeriod=2026-01'],
  ['listTimeBookings', day, { from: '2026-01-16' }, 'startDate=2026-01-16'],
  ['listTimeBookings', day, { to: '2026-01-14' }, 'endDate=2026-01-14'],
  ['listTimeBookings', [day, changed], { changedSince }, 'changedSince=2026-01-20'],
  ['listSalaryHistory', salary, { from: '2026-02' }, 'from=2026-02'],
  ['listSalaryHistory', salary, { to: '2025-12' }, 'to=2025-12'],
  ['listAllSalaries', salary, { from: '2026-02' }, 'from=2026-02'],
  ['listAllSalaries', salary, { to: '2025-12' }, 'to=2025-12'],
  ['listAbsences', absence, { from: '2026-01-17' }, 'from=2026-01-17'],
  ['listAbsences', absence, { to: '2026-01-11' }, 'to=2026-01-11'],
  ['listAbsences', [absence, changed], { changedSince }, 'changedSince=2026-01-20'],
  ['listAllAbsences', absence, { from: '2026-01-17' }, 'from=2026-01-17'],
  ['listAllAbsences', absence, { to: '2026-01-11' }, 'to=2026-01-11'],
  ['listAllAbsences', [absence, changed], { changedSince }, 'changedSince=2026-01-20'],
];

async function verify(
  fake: FakeHrCloud,
  url: string,
  file: string,
  states = scenarioStates((scenario) => fake.load(scenario)),
): Promise<VerificationResult> {
  return verifyProvider({
    provider: { url },
    source: { pacts: [file] },
    states,
    reset: () => fake.reset(),
    token: () => 'contract-token',
  }).catch((error: unknown) => {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  });
}

function isOutside({ description }: { readonly description: string }): boolean {
  return !description.endsWith(', without the filter');
}

test('outside of each filter the list is empty, and a provider that ignores the filter fails', async () => {
  expect(outsides.map(([id, , query]) => `${id} ${Object.keys(query).join()}`)).toEqual(
    (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, { list, query }]) =>
      list ? Object.keys(query.shape).flatMap((name) => (name === 'after' ? [] : [`${id} ${name}`])) : [],
    ),
  );
  const { hr, held } = consumerWithParts();
  for (const [id, given, query, search] of outsides) {
    const { run } = hr.emptyList(id, { given, request: { ...requests[id], query } } as never);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run(({ baseUrl, token }) =>
      fetch(`${baseUrl}${pathOf(id)}?${search}`, { headers: { authorization: `Bearer ${token}` } }),
    );
  }
  const interactions = held();
  const placesIf = (isFaulty: (one: { readonly description: string }) => boolean) =>
    interactions.map((each) => (isFaulty(each) ? ['body $'] : []));
  expect(interactions.filter(isOutside).map(({ response }) => response.body.content)).toEqual(outsides.map(() => []));
  expect(interactions).toHaveLength(2 * outsides.length);
  await using fake = await startFakeHrCloud();
  const file = await jsonFile({ ...pactOf('outside', []), interactions });
  expect((await verify(fake, fake.url, file)).ok).toBe(true);

  const ignorant = await startForgetful(fake, () => true);
  const found = await verify(fake, ignorant.url, file);
  await ignorant.stop();
  expect(placesOf(found)).toEqual(placesIf(isOutside));

  const idle = await verify(
    fake,
    fake.url,
    file,
    scenarioStates(() => undefined),
  );
  expect(idle.interactions.filter((each) => each.ok && !isOutside(each))).toEqual([]);
  const empty = await startProvider(json([]));
  expect(placesOf(await verify(fake, empty.url, file))).toEqual(placesIf((each) => !isOutside(each)));
  await empty.stop();
});

/** A provider that ignores some query parameters. */
function startForgetful(
  fake: RunningFakeHrCloud,
  isIgnored: (parameter: string) => boolean,
  lostHeaders: readonly string[] = [],
): Promise<ProviderUnderTest> {
  return startProvider((response, { path, headers }) => {
    const url = new URL(path, fake.url);
    for (const name of [...url.searchParams.keys()].filter(isIgnored)) url.searchParams.delete(name);
    const request = new Request(url, { headers: { authorization: headers.authorization ?? '' } });
    void (async () => {
      const answer = await fake.fetch(request);
      for (const name of lostHeaders) answer.headers.delete(name);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
}

function placesOf({ interactions }: VerificationResult): readonly string[][] {
  return interactions.map(({ faults }) => faults.map(({ place }) => place));
}

/** The cursor and the body of a response. */
async function readWithCursor({ baseUrl, token }: ContractCloud, path: string): Promise<[string | null, unknown]> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
  return [response.headers.get('hr-cursor'), await response.json()];
}

const isInstant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as string;

test('a program that goes on from cursor to cursor has a contract, with any cursors', async () => {
  const { hr, held } = consumerWithParts();
  const given: Given = [
    ['a decided payment', { payrollContractId: '1-77', billingPeriod: '2026-01', state: 'rejected', reason: 'Paid.' }],
    absence,
  ];
  const all = hr.interaction('listAllAbsences', { given, cursor: true, example: [{ amount: 5 }] });
  const changes = hr.interaction('listAllAbsences', { given, request: { query: { after: 'a.b' } }, example: [] });
  const wait = hr.interaction('getChanges', {
    given,
    request: { query: { after: 'a.b', wait: '1' } },
    example: { changed: [] },
  });
  const decided = hr.interaction('listVariablePaymentDecisions', {
    given,
    example: [{ state: 'rejected', reason: 'Paid.' }],
  });
  const [cursor] = await all.run((cloud) => readWithCursor(cloud, '/api/v1/absences'));
  expect(await changes.run((cloud) => readWithCursor(cloud, `/api/v1/absences?after=${cursor}`))).toEqual([cursor, []]);
  expect(await wait.run((cloud) => readWithCursor(cloud, `/api/v1/changes?after=${cursor}&wait=1`))).toEqual([
    null,
    { cursor: expect.any(String) as string, changed: [] },
  ]);
  expect(await decided.run((cloud) => readWithCursor(cloud, '/api/v1/variable-payment-decisions'))).toEqual([
    null,
    [expect.objectContaining({ state: 'rejected', decidedAt: isInstant })],
  ]);
  await using fake = await startFakeHrCloud();
  const file = await jsonFile({ ...pactOf('cursors', []), interactions: held() });
  expect(placesOf(await verify(fake, fake.url, file))).toEqual([[], [], [], []]);
  expect((await checkDrift({ pacts: [file] })).faults).toEqual([]);

  // As of a provider without cursors.
  const ignorant = await startForgetful(fake, (name) => name === 'after', ['hr-cursor']);
  expect(placesOf(await verify(fake, ignorant.url, file))).toEqual([['header HR-Cursor'], ['query after'], [], []]);
  await ignorant.stop();
});

test('a contract cannot have a change after a cursor', () => {
  const { hr } = consumerWithParts();
  const request = { query: { after: 'a.b' } };
  expect([
    messageOf(() => hr.interaction('listPersons', { request, example: [{}] })),
    messageOf(() => hr.interaction('getChanges', { request, example: { changed: ['persons'] } })),
  ]).toEqual([
    'listPersons: example: no state can change anything after a cursor. Use [].',
    'getChanges: example: no state can change anything after a cursor. Use { changed: [] }.',
  ]);
});

test('emptyList() refuses what proves nothing', () => {
  const { hr } = consumerWithParts();
  const refused = [
    () => hr.emptyList('listAbsences', { given: absence, request: { ...absences, query: {} as { from: string } } }),
    () =>
      hr.emptyList('listAbsences', {
        given: absence,
        request: { ...absences, query: { from: '2025-01-01', to: '2025-01-02' } },
      }),
    () =>
      hr.emptyList('listTimeBookings', {
        given: ['a day of time bookings', { personId: '4711', date: '2026-01-01' }],
        request: { query: { from: '2026-01-17', to: '2026-01-18' } },
      }),
    () => hr.emptyList('listAbsences', { given: day, request: { ...absences, query: { from: '2026-01-17' } } }),
    () =>
      hr.emptyList('listAbsences', {
        given: ['an absence', { personId: 'another' }],
        request: { ...absences, query: { from: '2026-01-17' } },
      }),
    () => hr.emptyList('listAbsences', { given: absence, request: { ...absences, query: { from: '2026-01-16' } } }),
    () =>
      hr.emptyList('listAbsences', {
        given: ['an absence', { personId: '4711' }],
        request: { ...absences, query: { from: '2026-01-17' } },
      }),
    () => hr.emptyList('listPersons', { given: changed, request: { query: { changedSince: '2026-01-15' } } }),
    () => hr.emptyList('updatePerson' as 'listPersons', { given: changed, request: { query: { changedSince } } }),
    () => hr.emptyList('listPersons', { given: changed, request: { query: { after: 'x' } as object as never } }),
  ];
  expect(refused.map(messageOf)).toEqual([
    'listAbsences: request.query: no filter. Give one of from, to, changedSince.',
    'listAbsences: given: a provider may ignore from, as the other filters exclude everything. Add a state that only from excludes.',
    'listTimeBookings: given: a provider may ignore to, as the other filters exclude everything. Add a state that only to excludes.',
    'listAbsences: given: the list is empty even without the filter, so that this proves nothing. Add the state "an absence" of the same personId.',
    'listAbsences: given: the list is empty even without the filter, so that this proves nothing. Add the state "an absence" of the same personId.',
    ...['listAbsences', 'listAbsences', 'listPersons'].map(
      (id) =>
        `${id}: given: the filter keeps a record of the states, or may keep it because they leave out its dates. Give it dates just outside of the filter, such as the day before "from".`,
    ),
    'updatePerson: emptyList() needs a list with filters. Use one of listPersons, listVariablePayments, listTimeBookings, listSalaryHistory, listAbsences, listAllAbsences, listAllSalaries.',
    'listPersons: request.query: a cursor, which is no filter. Give one of changedSince.',
  ]);
});

/** Windows, what exists before and after each, and the names of both ends in the URL. */
const windows: readonly [id: ListOperationId, given: Given, from: string, to: string, names: [string, string]][] = [
  [
    'listTimeBookings',
    ['2026-01-01', '2026-01-31'].map((date) => ['a day of time bookings', { personId: '4711', date }]),
    '2026-01-17',
    '2026-01-18',
    ['startDate', 'endDate'],
  ],
  [
    'listSalaryHistory',
    [1, 3].map((month) => ['a salary', { payrollContractId: '1-77', year: 2026, month }]),
    '2026-02',
    '2026-02',
    ['from', 'to'],
  ],
];

test('a program that always sends both ends of a window notices a provider that ignores either', async () => {
  const { hr, held } = consumerWithParts();
  for (const [id, given, from, to, names] of windows) {
    const { run, description } = hr.emptyList(id, {
      given,
      request: { ...requests[id], query: { from, to } },
    } as never);
    expect(description).toMatch(new RegExp(`^${id}: 200 outside of from and to given`));
    const search = `${names[0]}=${from}&${names[1]}=${to}`;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run(({ baseUrl, token }) =>
      fetch(`${baseUrl}${pathOf(id)}?${search}`, { headers: { authorization: `Bearer ${token}` } }),
    );
  }
  await using fake = await startFakeHrCloud();
  const interactions = held();
  const file = await jsonFile({ ...pactOf('outside', []), interactions });
  expect((await verify(fake, fake.url, file)).ok).toBe(true);
  for (const end of [0, 1]) {
    // oxlint-disable-next-line no-await-in-loop -- the fake has one set of states
    const forgetful = await startForgetful(fake, (name) => windows.some(([, , , , names]) => names[end] === name));
    // oxlint-disable-next-line no-await-in-loop -- the fake has one set of states
    const found = await verify(fake, forgetful.url, file);
    // oxlint-disable-next-line no-await-in-loop -- the fake has one set of states
    await forgetful.stop();
    expect(placesOf(found)).toEqual(interactions.map((each) => (isOutside(each) ? ['body $'] : [])));
  }
});

test.each([
  ['at once', (error: Error) => error],
  ['as a cause', (error: Error) => new Error('Payroll failed', { cause: error })],
])('if the client rejects the example, the message names the place, %s', async (_, wrapped) => {
  const { hr, held } = consumerWithParts();
  // What every version of the client throws.
  const rejected = Object.assign(new Error('Check baseUrl'), {
    [Symbol.for('@hr/client/HrError')]: true,
    code: 'invalid-response',
    problem: { errors: [{ pointer: '/0/startDate', detail: 'is required' }] },
  });
  const thrown = wrapped(rejected);
  const running = hr.interaction('listPersons', { example: [{}] }).run(async ({ baseUrl, token }) => {
    await fetch(`${baseUrl}/api/v1/persons`, { headers: { authorization: `Bearer ${token}` } });
    throw thrown;
  });
  await expect(running).rejects.toMatchObject({
    code: 'invalid-option',
    message:
      '"listPersons: 200": @hr/client rejects the example, which the mock sent as the response: /0/startDate is required. Correct the example there.',
    cause: thrown,
  });
  expect(held()).toEqual([]);
});

test('the type of a token is compared without case', async () => {
  const { hr, held } = consumerWithParts();
  await hr.tokenRequest().run(({ baseUrl, clientId, clientSecret, scope = '' }) => {
    const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', scope };
    return fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(fields) });
  });
  const file = await jsonFile({ ...pactOf('tokens', []), interactions: held() });
  await using fake = await startFakeHrCloud();
  const found = [];
  for (const type of ['bearer', 'BEARER', 'mac']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const provider = await startProvider(json({ access_token: 'x', token_type: type, expires_in: 60 }));
    // oxlint-disable-next-line no-await-in-loop
    found.push((await verify(fake, provider.url, file)).ok);
    // oxlint-disable-next-line no-await-in-loop
    await provider.stop();
  }
  expect(found).toEqual([true, true, false]);
});

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}
