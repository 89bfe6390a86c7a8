import { openApiDocument } from '@hr/schemas/openapi';
import { expect, test } from 'vitest';
import { checkDrift, expectNoDrift } from '../src/provider/index.ts';
import { jsonFile, newFolder, pactOf, type TestInteraction } from './pact-file.ts';

async function driftOf(...interactions: readonly TestInteraction[]) {
  const file = await jsonFile(pactOf('payroll-batch', interactions));
  return checkDrift({ pacts: [file] });
}

async function faultsOf(...interactions: readonly TestInteraction[]) {
  const { faults } = await driftOf(...interactions);
  return faults.map(({ place, message }) => `${place}: ${message}`);
}

const type = { matchers: [{ match: 'type' }] };
const regex = (pattern: string) => ({ matchers: [{ match: 'type' }, { match: 'regex', regex: pattern }] });
const list = { matchers: [{ match: 'type', min: 1 }] };
const genders = '^(?:MALE|FEMALE|INTERSEX|UNSPECIFIED)$';

const right: readonly TestInteraction[] = [
  {
    description: 'persons',
    response: [{ id: '4711', jobTitle: 'Bäcker', gender: 'MALE', dateOfBirth: '1991-03-14' }],
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
    response: [{ id: '7', jobTitle: null }],
    rules: { $: list, '$[*].jobTitle': { matchers: [{ match: 'null' }] } },
  },
  {
    description: 'a payment',
    method: 'POST',
    path: '/api/v1/payrollContract/1-77/variable-payments',
    query: { billingPeriod: ['2026-01'] },
    headers: { 'Idempotency-Key': 'run-7/42' },
    body: { compensationComponentId: 'BONUS', amount: 250 },
    response: { payrollContractId: '1-77', amount: 250 },
    rules: { '$.payrollContractId': type, '$.amount': { matchers: [{ match: 'number' }] } },
  },
  {
    description: 'a bad patch, refused',
    method: 'PATCH',
    path: '/api/v1/persons/4711',
    body: { jobTitle: 'x' },
    status: 400,
    response: { status: 400, errors: [{ pointer: '/jobTitle', code: 'unknown-name' }] },
  },
  {
    description: 'time bookings',
    path: '/api/v1/time-bookings',
    query: { startDate: ['2026-01-01'], endDate: ['2026-01-31'] },
    response: [],
  },
];

test('a contract that agrees with the API has no drift', async () => {
  await expect(faultsOf(...right)).resolves.toEqual([]);
});

test.each<[what: string, wrong: TestInteraction, place: string, message: string]>([
  ['a path', { path: '/api/v1/people' }, 'GET /api/v1/people', 'no such path'],
  ['a method', { method: 'DELETE' }, 'DELETE /api/v1/persons', 'the path accepts GET.'],
  ['a status', { status: 418 }, 'status', 'not 418'],
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
  ['a body where none goes', { body: { id: '1' } }, 'request', 'accepts no body'],
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
    'request header Content-Type',
    'the API has application/json, not text/plain.',
  ],
  ['no token', { headers: { Authorization: '' } }, 'header Authorization', 'without a bearer token'],
  ['an answered key', { response: [{ id: '1', shoeSize: 43 }] }, 'response /0/shoeSize', 'is unknown to the API'],
  [
    'a former name',
    { response: [{ address: { postalCode: '10115' } }] },
    'response /0/address/postalCode',
    'It is called zipCode now.',
  ],
  ['a key of a problem', { status: 403, response: { message: 'gone' } }, 'response /message', 'is unknown'],
  ['a value', { response: [{ gender: 'M' }] }, 'response /0/gender', 'must be one of'],
  [
    'null, where changes are not asked for',
    { response: [{ jobTitle: null }] },
    'response /0/jobTitle',
    'must be a string',
  ],
  ['another shape', { response: { id: '1' } }, 'response', 'must be an array'],
  ['a state', { states: [{ name: 'a person', params: { name: 'x' } }] }, 'state "a person"', '/id is required'],
])('reports %s that the API does not know', async (_what, wrong, place, message) => {
  const faults = await faultsOf(wrong);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.split(': ', 1)).toEqual([place]);
  expect(faults[0]).toContain(message);
});

test.each<[what: string, example: unknown, field: string, rule: object, message: string]>([
  [
    'an enum by its type',
    'MALE',
    'gender',
    { match: 'type' },
    'the rule type accepts values that the API never sends: it must be one of',
  ],
  ['a part of an enum', 'MALE', 'gender', { match: 'regex', regex: '^(?:MALE|FEMALE)$' }, 'rejects values'],
  ['a date by its type', '1991-03-14', 'dateOfBirth', { match: 'type' }, 'accepts values'],
  [
    'a date of this century',
    '2001-03-14',
    'dateOfBirth',
    { match: 'regex', regex: String.raw`^20\d\d-\d\d-\d\d$` },
    'rejects values',
  ],
  ['an id of digits', '5-4711', 'id', { match: 'regex', regex: '^[0-9]+-[0-9]+$' }, 'rejects values'],
  ['a pattern by its type', 'a@b', 'businessEmail', { match: 'type' }, 'accepts values'],
])('reports a rule that takes %s', async (_what, example, field, rule, message) => {
  const faults = await faultsOf({
    response: [{ [field]: example }],
    rules: { $: list, [`$[*].${field}`]: { matchers: [rule] } },
  });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^response /0/${field}: .*${message}`))]);
});

test('reports a number that must have decimals, and a list of at most one', async () => {
  const path = '/api/v1/payrollContract/1-77/salaries/history';
  await expect(
    faultsOf({
      path,
      response: [{ month: 1, totalSalary: 1.5 }],
      rules: {
        $: { matchers: [{ match: 'type', max: 1 }] },
        '$[*].month': { matchers: [{ match: 'number' }] },
        '$[*].totalSalary': { matchers: [{ match: 'decimal' }] },
      },
    }),
  ).resolves.toEqual([
    'response: the rule type rejects longer arrays, which the API allows.',
    'response /0/month: the rule number accepts values that the API never sends: it must be a whole number.',
    'response /0/totalSalary: the rule decimal rejects values that the API allows.',
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
    response: {},
  };
  const thisYear = { match: 'regex', regex: '^2026-(?:0[1-9]|1[0-2])$' };
  await expect(faultsOf({ ...payment, bodyRules: bodyRules(thisYear) })).resolves.toEqual([]);
  await expect(faultsOf({ ...payment, bodyRules: bodyRules({ match: 'type' }) })).resolves.toEqual([
    'request /correctionPeriod: the rule type accepts values that the API never sends: it must be a month YYYY-MM, 01 to 12.',
  ]);
  await expect(faultsOf({ ...payment, queryRules: { billingPeriod: type } })).resolves.toEqual([
    'query /billingPeriod: the rule type accepts values that the API never sends: it must be a month YYYY-MM, 01 to 12.',
  ]);
});

test('lists the rules that Pact does not support, of fields in use only, once an operation', async () => {
  const persons = {
    response: [{ id: '4711', jobTitle: 'Bäcker' }],
    rules: { $: list, '$[*].id': type, '$[*].jobTitle': type },
  };
  const { faults, unsupportedRules } = await driftOf(
    { description: 'first', ...persons },
    { description: 'second', ...persons },
  );
  expect(faults).toEqual([]);
  expect(unsupportedRules).toEqual([
    { consumer: 'payroll-batch', description: 'first', place: 'response', message: 'may be empty.' },
    {
      consumer: 'payroll-batch',
      description: 'first',
      place: 'response /0/id',
      message: 'must have at most 255 characters; must have at least 1 characters.',
    },
    {
      consumer: 'payroll-batch',
      description: 'first',
      place: 'response /0/jobTitle',
      message: 'may be missing; must have at most 400 characters.',
    },
  ]);
});

test('Pact does not support rules of several fields, ranges and hours of sixty minutes', async () => {
  const { unsupportedRules } = await driftOf(
    { response: [{ address: { postOfficeBox: '10 20 30' } }], rules: { $: list, '$[*].address.postOfficeBox': type } },
    {
      path: '/api/v1/time-bookings',
      response: [{ days: [{ targetTime: 7.3 }] }],
      rules: { $: list, '$[*].days': list, '$[*].days[*].targetTime': { matchers: [{ match: 'number' }] } },
    },
  );
  const messages = Object.fromEntries(unsupportedRules.map(({ place, message }) => [place, message]));
  expect(messages['response /0/address']).toMatch(/has no street beside post-office box/);
  expect(messages['response /0/days/0/targetTime']).toMatch(/at most 1000000000000; .*the minutes|\.00 to \.59/);
});

test('notes what is deprecated, and exact values that nothing names', async () => {
  const { faults, notes } = await driftOf({
    states: [{ name: 'a person', params: { id: '4711' } }],
    response: [{ id: '4711', jobTitle: 'Bäcker', payrollContractIds: ['1-77'] }],
    rules: {
      $: list,
      '$[*].payrollContractIds': list,
      '$[*].id': { matchers: [{ match: 'equality' }] },
      '$[*].jobTitle': { matchers: [{ match: 'equality' }] },
    },
  });
  expect(faults).toEqual([]);
  expect(notes.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'response /0/payrollContractIds: is deprecated. Use `employments`, which carries more. May contain ids unknown to the payroll system.',
    'response /0/jobTitle: must be exactly this value, but neither a state nor the request has it. Use a matcher.',
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

test('reports a matcher that Pact does not have', async () => {
  const rules = { $: list, '$[*].id': { matchers: [{ match: 'whatever' }] } };
  const { faults } = await driftOf({ response: [{ id: '1' }], rules });
  expect(faults.map(({ message }) => message)).toEqual(['Pact has no matcher whatever. Correct it.']);
});

test('notes a rule that is not known here', async () => {
  const { faults, notes } = await driftOf({
    response: [{ id: '1', jobTitle: 'x' }],
    rules: {
      $: list,
      '$[*].id': { matchers: [{ match: 'semver' }] },
      '$[*].jobTitle': { matchers: [{ match: 'regex', regex: '(?i)^x$' }] },
    },
  });
  expect(faults).toEqual([]);
  expect(notes.map(({ message }) => message)).toEqual([
    'the rule semver was not compared: this kit cannot read it.',
    'the rule regex (?i)^x$ was not compared: this kit cannot read it.',
  ]);
});

function eitherGender(combine: 'AND' | 'OR') {
  const matchers = ['^(MALE|FEMALE)$', '^(INTERSEX|UNSPECIFIED)$'].map((each) => ({ match: 'regex', regex: each }));
  return { $: list, '$[*].gender': { combine, matchers } };
}

test('rules may be alternatives', async () => {
  await expect(faultsOf({ response: [{ gender: 'MALE' }], rules: eitherGender('OR') })).resolves.toEqual([]);
  await expect(faultsOf({ response: [{ gender: 'MALE' }], rules: eitherGender('AND') })).resolves.toHaveLength(1);
});

test('requests of tokens are forms, with the credentials in them or as HTTP Basic', async () => {
  const good = await pactOfForms(
    tokenRequest('grant_type=client_credentials&client_id=a&client_secret=b', {}),
    tokenRequest('grant_type=client_credentials&scope=api%3Ause', { Authorization: 'Basic YTpi' }),
  );
  await expect(expectNoDrift({ pacts: [good] })).resolves.toMatchObject({ faults: [] });
  const bad = await pactOfForms(tokenRequest('grant_type=password&client_id=a&client_secret=b', {}));
  await expect(expectNoDrift({ pacts: [bad] })).rejects.toThrow('request /grant_type');
});

interface ComparatorPackage {
  readonly Comparator: new (documents: { readonly oas: object }) => {
    compare(pact: object): AsyncIterable<{ readonly type: 'error' | 'warning' | 'info' }>;
  };
}

test('the comparator of PactFlow, which knows the OpenAPI document alone, finds nothing in the same contract', async () => {
  // Its types name files in a way that Node's resolution does not know.
  const { Comparator } = (await import('@pactflow/openapi-pact-comparator')) as unknown as ComparatorPackage;
  const errors: object[] = [];
  for await (const result of new Comparator({ oas: openApiDocument() }).compare(pactOf('payroll-batch', right)))
    if (result.type === 'error') errors.push(result);
  expect(errors).toEqual([]);
});

test('fails a test with a report', async () => {
  const file = await jsonFile(pactOf('payroll-batch', [{ description: 'all persons', response: [{ shoeSize: 43 }] }]));
  await expect(expectNoDrift({ pacts: [file] })).rejects.toMatchObject({
    code: 'drift',
    message: [
      '1 difference between contracts and the API.',
      'payroll-batch: all persons',
      '  response /0/shoeSize: is unknown to the API. Remove it, or correct the name.',
    ].join('\n'),
  });
});

test('all pacts of all folders and files are compared, each once', async () => {
  const folder = await newFolder();
  const pact = pactOf('payroll-batch', [{ response: [{ shoeSize: 43 }] }]);
  const file = await jsonFile(pact, folder, 'one.json');
  await jsonFile({ ...pact, consumer: { name: 'time-terminal' } }, folder, 'other.json');
  const { faults } = await checkDrift({ pacts: [file, folder] });
  expect(faults.map(({ consumer }) => consumer)).toEqual(['payroll-batch', 'time-terminal']);
  await expect(checkDrift({ pacts: [] })).rejects.toMatchObject({ code: 'invalid-pact' });
});
