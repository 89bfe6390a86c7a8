import { operations } from '@hr/schemas';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkDrift, expectNoDrift } from '../src/provider/index.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import type { Said } from './pact-file.ts';

async function driftOf(...interactions: readonly Said[]) {
  const file = await jsonFile(pactOf('payroll-batch', interactions));
  return checkDrift({ pacts: { files: [file] } });
}

async function faultsOf(...interactions: readonly Said[]) {
  const { faults } = await driftOf(...interactions);
  return faults.map(({ place, sentence }) => `${place}: ${sentence}`);
}

const type = { matchers: [{ match: 'type' }] };
const regex = (pattern: string) => ({ matchers: [{ match: 'type' }, { match: 'regex', regex: pattern }] });
const list = { matchers: [{ match: 'type', min: 1 }] };
const genders = '^(?:MALE|FEMALE|INTERSEX|UNSPECIFIED)$';

const right: readonly Said[] = [
  {
    description: 'persons',
    answer: [{ id: '4711', jobTitle: 'Bäcker', gender: 'MALE', dateOfBirth: '1991-03-14' }],
    rules: {
      $: list,
      '$[*].id': type,
      '$[*].jobTitle': type,
      '$[*].gender': regex(genders),
      '$[*].dateOfBirth': { matchers: [{ match: 'date', format: 'yyyy-MM-dd' }] },
    },
  },
  {
    description: 'what changed',
    query: { changedSince: ['2026-01-31'] },
    states: [{ name: 'a person', params: { id: '7' } }],
    answer: [{ id: '7', jobTitle: null }],
    rules: { $: list, '$[*].jobTitle': { matchers: [{ match: 'null' }] } },
  },
  {
    description: 'a payment',
    method: 'POST',
    path: '/api/v1/payrollContract/1-77/variable-payments',
    query: { billingPeriod: ['2026-01'] },
    headers: { 'Idempotency-Key': 'run-7/42' },
    body: { compensationComponentId: 'BONUS', amount: 250 },
    answer: { payrollContractId: '1-77', amount: 250 },
    rules: { '$.payrollContractId': type, '$.amount': { matchers: [{ match: 'number' }] } },
  },
  {
    description: 'a bad patch, refused',
    method: 'PATCH',
    path: '/api/v1/persons/4711',
    body: { jobTitle: 'x' },
    status: 400,
    answer: { status: 400, errors: [{ pointer: '/jobTitle', code: 'unknown-name' }] },
  },
  {
    description: 'time bookings',
    path: '/api/v1/time-bookings',
    query: { startDate: ['2026-01-01'], endDate: ['2026-01-31'] },
    answer: [],
  },
];

test('a contract of what the API says has no drift', async () => {
  await expect(faultsOf(...right)).resolves.toEqual([]);
});

test.each<[what: string, wrong: Said, place: string, sentence: string]>([
  ['a path', { path: '/api/v1/people' }, 'GET /api/v1/people', 'no such path'],
  ['a method', { method: 'DELETE' }, 'DELETE /api/v1/persons', 'takes GET, not DELETE'],
  ['a status', { status: 418 }, 'response.status', 'status code not defined'],
  ['a query parameter', { query: { since: ['2026-01-31'] } }, 'query /since', 'is not known here'],
  [
    "the table's name instead of the URL's",
    { path: '/api/v1/time-bookings', query: { from: ['2026-01-01'] } },
    'query /from (in the URL)',
    'is not known',
  ],
  ['a repeated parameter', { query: { changedSince: ['2026-01-31', '2026-02-01'] } }, 'query changedSince', 'once'],
  ['a value of the query', { query: { changedSince: ['31.01.2026'] } }, 'query /changedSince', 'calendar date'],
  ['a value of the path', { path: `/api/v1/persons/${'x'.repeat(256)}/absences` }, 'path /personId', 'at most 255'],
  ['a body where none goes', { body: { id: '1' } }, 'request', 'takes no body'],
  [
    'a request body',
    { method: 'PATCH', path: '/api/v1/persons/1', body: { jobTitle: 'x' } },
    'request /jobTitle',
    'is not known here',
  ],
  [
    'no request body',
    { method: 'POST', path: '/api/v1/payrollContract/1/variable-payments', query: { billingPeriod: ['2026-01'] } },
    'request /compensationComponentId',
    'is required',
  ],
  [
    'a media type',
    { method: 'PATCH', path: '/api/v1/persons/1', body: {}, headers: { 'Content-Type': 'text/plain' } },
    'request.headers.content-type',
    'incompatible with the mime-types',
  ],
  ['no token', { headers: { Authorization: '' } }, 'header Authorization', '401'],
  ['an answered key', { answer: [{ id: '1', shoeSize: 43 }] }, 'answer /0/shoeSize', 'no such field'],
  [
    'a former name',
    { answer: [{ address: { postalCode: '10115' } }] },
    'answer /0/address/postalCode',
    'former name of zipCode',
  ],
  ['a key of a problem', { status: 404, answer: { message: 'gone' } }, 'answer /message', 'no such field'],
  ['a value', { answer: [{ gender: 'M' }] }, 'answer /0/gender', 'must be one of'],
  ['null, where changes are not asked for', { answer: [{ jobTitle: null }] }, 'answer /0/jobTitle', 'must be a string'],
  ['another shape', { answer: { id: '1' } }, 'answer', 'must be an array'],
  ['a state', { states: [{ name: 'a person', params: { name: 'x' } }] }, 'state "a person"', '/id is required'],
])('tells %s that the API does not know', async (_what, wrong, place, sentence) => {
  const faults = await faultsOf(wrong);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.split(': ', 1)).toEqual([place]);
  expect(faults[0]).toContain(sentence);
});

test.each<[what: string, example: unknown, field: string, rule: object, sentence: string]>([
  [
    'an enum by its type',
    'MALE',
    'gender',
    { match: 'type' },
    'The rule type lets pass what the API does not: it must be one of',
  ],
  ['a part of an enum', 'MALE', 'gender', { match: 'regex', regex: '^(?:MALE|FEMALE)$' }, 'refuses values'],
  ['a date by its type', '1991-03-14', 'dateOfBirth', { match: 'type' }, 'lets pass'],
  [
    'a date of this century',
    '2001-03-14',
    'dateOfBirth',
    { match: 'regex', regex: String.raw`^20\d\d-\d\d-\d\d$` },
    'refuses values',
  ],
  ['an id of digits', '5-4711', 'id', { match: 'regex', regex: '^[0-9]+-[0-9]+$' }, 'refuses values'],
  ['a pattern by its type', 'a@b', 'businessEmail', { match: 'type' }, 'lets pass'],
])('tells a rule that takes %s', async (_what, example, field, rule, sentence) => {
  const faults = await faultsOf({
    answer: [{ [field]: example }],
    rules: { $: list, [`$[*].${field}`]: { matchers: [rule] } },
  });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^answer /0/${field}: .*${sentence}`))]);
});

test('a number that must have decimals, and a list of at most one, refuse what the API answers', async () => {
  const path = '/api/v1/payrollContract/1-77/salaries/history';
  await expect(
    faultsOf({
      path,
      answer: [{ month: 1, totalSalary: 1.5 }],
      rules: {
        $: { matchers: [{ match: 'type', max: 1 }] },
        '$[*].month': { matchers: [{ match: 'number' }] },
        '$[*].totalSalary': { matchers: [{ match: 'decimal' }] },
      },
    }),
  ).resolves.toEqual([
    'answer: The rule type refuses longer lists, which the API allows.',
    'answer /0/month: The rule number lets pass what the API does not: it must be a whole number.',
    'answer /0/totalSalary: The rule decimal refuses values that the API allows.',
  ]);
});

function bodyRules(correctionPeriod: object) {
  return { '$.correctionPeriod': { matchers: [correctionPeriod] } };
}

test('a consumer may send less than the API takes, not more', async () => {
  const payment = {
    method: 'POST',
    path: '/api/v1/payrollContract/1-77/variable-payments',
    query: { billingPeriod: ['2026-01'] },
    body: { compensationComponentId: 'BONUS', correctionPeriod: '2026-01', amount: 250 },
    answer: {},
  };
  const thisYear = { match: 'regex', regex: '^2026-(?:0[1-9]|1[0-2])$' };
  await expect(faultsOf({ ...payment, bodyRules: bodyRules(thisYear) })).resolves.toEqual([]);
  await expect(faultsOf({ ...payment, bodyRules: bodyRules({ match: 'type' }) })).resolves.toEqual([
    'request /correctionPeriod: The rule type lets pass what the API does not: it must be a month YYYY-MM, 01 to 12.',
  ]);
  await expect(faultsOf({ ...payment, queryRules: { billingPeriod: type } })).resolves.toEqual([
    'query /billingPeriod: The rule type lets pass what the API does not: it must be a month YYYY-MM, 01 to 12.',
  ]);
});

test('lists what no matcher holds, of used fields only, once an operation', async () => {
  const persons = {
    answer: [{ id: '4711', jobTitle: 'Bäcker' }],
    rules: { $: list, '$[*].id': type, '$[*].jobTitle': type },
  };
  const { faults, unheld } = await driftOf({ description: 'first', ...persons }, { description: 'second', ...persons });
  expect(faults).toEqual([]);
  expect(unheld).toEqual([
    { consumer: 'payroll-batch', description: 'first', place: 'answer', sentence: 'it may be empty.' },
    {
      consumer: 'payroll-batch',
      description: 'first',
      place: 'answer /0/id',
      sentence: 'it must have at most 255 characters; it must have at least 1 characters.',
    },
    {
      consumer: 'payroll-batch',
      description: 'first',
      place: 'answer /0/jobTitle',
      sentence: 'it may be missing; it must have at most 400 characters.',
    },
  ]);
});

test('rules of several fields, ranges and hours of sixty minutes are no matcher of Pact', async () => {
  const { unheld } = await driftOf(
    { answer: [{ address: { postOfficeBox: '10 20 30' } }], rules: { $: list, '$[*].address.postOfficeBox': type } },
    {
      path: '/api/v1/time-bookings',
      answer: [{ days: [{ targetTime: 7.3 }] }],
      rules: { $: list, '$[*].days': list, '$[*].days[*].targetTime': { matchers: [{ match: 'number' }] } },
    },
  );
  const sentences = Object.fromEntries(unheld.map(({ place, sentence }) => [place, sentence]));
  expect(sentences['answer /0/address']).toMatch(/its fields go together, no street beside post-office box/);
  expect(sentences['answer /0/days/0/targetTime']).toMatch(/at most 1000000000000; .*the minutes|\.00 to \.59/);
});

test('notes what is deprecated, and values that nothing has put there', async () => {
  const { faults, notes } = await driftOf({
    states: [{ name: 'a person', params: { id: '4711' } }],
    answer: [{ id: '4711', jobTitle: 'Bäcker', payrollContractIds: ['1-77'] }],
    rules: {
      $: list,
      '$[*].payrollContractIds': list,
      '$[*].id': { matchers: [{ match: 'equality' }] },
      '$[*].jobTitle': { matchers: [{ match: 'equality' }] },
    },
  });
  expect(faults).toEqual([]);
  expect(notes.map(({ place, sentence }) => `${place}: ${sentence}`)).toEqual([
    'answer /0/payrollContractIds: is deprecated. Use `employments`, which carries more. May contain ids unknown to the payroll system.',
    'answer /0/jobTitle: Just this value is asked for, which no provider state and no request names; use a matcher.',
  ]);
});

function tokenRequest(body: string, headers: object) {
  return {
    description: 'a token',
    request: {
      method: 'POST',
      path: '/api/oauth2/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    },
    response: {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { access_token: 'x', token_type: 'Bearer', expires_in: 3600 },
    },
  };
}

/** Specification 3, in which a body may be any text. */
function pactOfForms(...interactions: readonly object[]) {
  const metadata = { pactSpecification: { version: '3.0.0' } };
  return jsonFile({ consumer: { name: 'auth' }, provider: { name: 'hr-cloud' }, interactions, metadata });
}

test('a rule that is not known here is no fault, and no silence', async () => {
  const { faults, notes } = await driftOf({
    answer: [{ id: '1', jobTitle: 'x' }],
    rules: {
      $: list,
      '$[*].id': { matchers: [{ match: 'semver' }] },
      '$[*].jobTitle': { matchers: [{ match: 'regex', regex: '(?i)^x$' }] },
    },
  });
  expect(faults).toEqual([]);
  expect(notes.map(({ sentence }) => sentence)).toEqual([
    'The rule semver is not known here, so it is not compared.',
    'The rule regex (?i)^x$ is not known here, so it is not compared.',
  ]);
});

function eitherGender(combine: 'AND' | 'OR') {
  const matchers = ['^(MALE|FEMALE)$', '^(INTERSEX|UNSPECIFIED)$'].map((each) => ({ match: 'regex', regex: each }));
  return { $: list, '$[*].gender': { combine, matchers } };
}

test('the first or the second of rules may hold', async () => {
  await expect(faultsOf({ answer: [{ gender: 'MALE' }], rules: eitherGender('OR') })).resolves.toEqual([]);
  await expect(faultsOf({ answer: [{ gender: 'MALE' }], rules: eitherGender('AND') })).resolves.toHaveLength(1);
});

test('requests of tokens are forms, with the credentials in them or as HTTP Basic', async () => {
  const good = await pactOfForms(
    tokenRequest('grant_type=client_credentials&client_id=a&client_secret=b', {}),
    tokenRequest('grant_type=client_credentials&scope=api%3Ause', { Authorization: 'Basic YTpi' }),
  );
  await expect(expectNoDrift({ pacts: { files: [good] } })).resolves.toMatchObject({ faults: [] });
  const bad = await pactOfForms(tokenRequest('grant_type=password&client_id=a&client_secret=b', {}));
  await expect(expectNoDrift({ pacts: { files: [bad] } })).rejects.toThrow('request /grant_type');
});

test('says which contracts a table to come would break', async () => {
  const file = await jsonFile(pactOf('payroll-batch', right));
  const { jobTitle: _gone, ...shape } = operations.listPersons.response.shape;
  const Person = z.strictObject({ ...shape, gender: z.enum(['MALE', 'FEMALE', 'DIVERSE']).optional() });
  const toCome = { ...operations, listPersons: { ...operations.listPersons, response: Person } };
  const { faults } = await checkDrift({ pacts: { files: [file] }, operations: toCome });
  expect(faults.map(({ description, place }) => `${description}: ${place}`)).toEqual([
    'persons: answer /0/jobTitle',
    'persons: answer /0/gender',
  ]);
});

test('a test gets a report to read', async () => {
  const file = await jsonFile(pactOf('payroll-batch', [{ description: 'all persons', answer: [{ shoeSize: 43 }] }]));
  await expect(expectNoDrift({ pacts: { files: [file] } })).rejects.toMatchObject({
    code: 'drift',
    message: [
      '1 place where contracts are not what the API says:',
      'payroll-batch: all persons',
      '  answer /0/shoeSize: The API has no such field; remove it or correct its name.',
    ].join('\n'),
  });
});
