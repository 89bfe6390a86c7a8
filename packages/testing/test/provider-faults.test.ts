import { gzipSync } from 'node:zlib';
import { LocalDate, LocalDateTime, YearMonth } from '@hr/schemas';
import type { VerificationFailedError, VerifiedInteraction } from '@hr/testing/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { matchersOf } from '../src/contract/matchers/matchers-of.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import { json, startProvider, verifiers } from './provider-under-test.ts';
import type { Answer, ProviderUnderTest } from './provider-under-test.ts';

const example = {
  id: '4711',
  lastName: 'Ek',
  amount: 250,
  count: 3,
  active: true,
  start: '2026-01-01',
  since: '2026-01-01',
  unit: 'hours',
  day: '2026-01-31',
  month: '2026-01',
  at: '2026-01-31T08:15',
  status: 'ACTIVE',
  end: null,
  days: [{ date: '2026-01-01', key: 'a', 'cost center': '1' }],
  address: { city: 'Köln', zip: '50667' },
  tags: ['a'],
  nickname: 'Ekki',
};

const matchers = (...list: readonly object[]) => ({ combine: 'AND' as const, matchers: list });

/** The rules that the kit itself makes of the API's models. */
function ruleOf(model: z.ZodType, value: string) {
  const { content } = matchersOf(model, value) as { content: Readonly<Record<'pact:matcher:type', readonly object[]>> };
  return matchers(
    ...content['pact:matcher:type'].map((rule) => {
      const { 'pact:matcher:type': match, ...rest } = rule as { 'pact:matcher:type': string };
      return { match, ...rest };
    }),
  );
}

const rules = {
  $: matchers({ match: 'type' }),
  '$.id': matchers({ match: 'regex', regex: '^\\d+$' }),
  '$.amount': matchers({ match: 'number' }),
  '$.count': matchers({ match: 'integer' }),
  '$.start': matchers({ match: 'regex', regex: '^\\d{4}-\\d{2}-\\d{2}$' }),
  '$.since': matchers({ match: 'date', format: 'yyyy-MM-dd' }),
  '$.day': ruleOf(LocalDate, example.day),
  '$.month': ruleOf(YearMonth, example.month),
  '$.at': ruleOf(LocalDateTime, example.at),
  '$.status': ruleOf(z.enum(['ACTIVE', 'INACTIVE']), example.status),
  '$.unit': matchers({ match: 'equality' }),
  '$.end': matchers({ match: 'null' }),
  '$.days': matchers({ match: 'type', min: 1 }),
  '$.days[*].date': matchers({ match: 'date', format: 'yyyy-MM-dd' }),
  '$.days[*].key': matchers({ match: 'regex', regex: '^[a-z]$' }),
  '$.tags': matchers({ match: 'type', min: 1, max: 2 }),
  // A value or null.
  '$.nickname': { combine: 'OR' as const, matchers: [{ match: 'type' }, { match: 'null' }] },
};

const without = (field: keyof typeof example) => {
  return Object.fromEntries(Object.entries(example).filter(([name]) => name !== field));
};
const day = example.days[0];
const noRequest = { method: 'GET', path: '/', headers: {}, body: '' };
const missing = 'The contract expects this field, and it is missing.';

/** What a provider gives that does not hold the contract, and what is said of it. */
const broken: readonly (readonly [name: string, answer: Answer, ...faults: string[]])[] = [
  ['a renamed field', json({ ...without('lastName'), surname: 'Ek' }), `body $.lastName: ${missing}`],
  ['a dropped field', json(without('address')), `body $.address: ${missing}`],
  [
    'two dropped fields',
    json({ ...without('amount'), active: undefined }),
    `body $.active: ${missing}`,
    `body $.amount: ${missing}`,
  ],
  [
    'a field dropped from one element',
    json({ ...example, days: [day, { date: '2026-01-02', key: 'b' }] }),
    `body $.days[1]['cost center']: ${missing}`,
  ],
  [
    'text for a number',
    json({ ...example, amount: '250' }),
    'body $.amount: The contract expects a number, and the provider gives text.',
  ],
  [
    'a number for text',
    json({ ...example, lastName: 5 }),
    'body $.lastName: The contract expects text, and the provider gives a number.',
  ],
  [
    'a number for text with a pattern',
    json({ ...example, id: 4711 }),
    'body $.id: The contract expects text, and the provider gives a number.',
  ],
  [
    'a number for text with a pattern, compressed',
    (response, { headers }) => {
      const body = JSON.stringify({ ...example, id: 4711 });
      if (!headers['accept-encoding']) return json({ ...example, id: 4711 })(response, noRequest);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(gzipSync(body));
    },
    'body $.id: The contract expects text, and the provider gives a number.',
  ],
  [
    'a number for text with a pattern, in a list',
    json({ ...example, days: [day, { ...day, key: true }] }),
    'body $.days[1].key: The contract expects text, and the provider gives true or false.',
  ],
  [
    'text for true or false',
    json({ ...example, active: 'yes' }),
    'body $.active: The contract expects true or false, and the provider gives text.',
  ],
  [
    'a fraction',
    json({ ...example, count: 2.5 }),
    'body $.count: The contract expects a whole number, and the provider gives another one.',
  ],
  [
    'null for an object',
    json({ ...example, address: null }),
    'body $.address: The contract expects an object, and the provider gives null.',
  ],
  [
    'null for text',
    json({ ...example, lastName: null }),
    'body $.lastName: The contract expects text, and the provider gives null.',
  ],
  [
    'null for text with a pattern',
    json({ ...example, id: null }),
    'body $.id: The contract expects text, and the provider gives null.',
  ],
  [
    'null for a number',
    json({ ...example, amount: null }),
    'body $.amount: The contract expects a number, and the provider gives null.',
  ],
  [
    'a value for null',
    json({ ...example, end: '2026-12-31' }),
    'body $.end: The contract expects null, and the provider gives text.',
  ],
  [
    'a German date',
    json({ ...example, start: '01.02.2026' }),
    'body $.start: The contract expects text like ^\\d{4}-\\d{2}-\\d{2}$, and the provider gives text of another form: 99.99.9999',
  ],
  [
    'a German date for a date of the models',
    json({ ...example, day: '01.02.2026' }),
    'body $.day: The contract expects a date such as 2026-01-31, and the provider gives text of another form: 99.99.9999',
  ],
  [
    'a number for a date of the models',
    json({ ...example, day: 20_260_131 }),
    'body $.day: The contract expects text, and the provider gives a number.',
  ],
  [
    'a date for a month of the models',
    json({ ...example, month: '2026-01-31' }),
    'body $.month: The contract expects a month such as 2026-01, and the provider gives text of another form: 9999-99-99',
  ],
  [
    'an instant for a local time of the models',
    json({ ...example, at: '2026-01-31T08:15:00Z' }),
    'body $.at: The contract expects a local date and time such as 2026-01-31T08:15, and the provider gives text of another form: 9999-99-99A99:99:99A',
  ],
  [
    'another word than those of a list',
    json({ ...example, status: 'ÜBER_4' }),
    'body $.status: The contract expects one of ACTIVE, INACTIVE, and the provider gives text of another form: AAAA_9',
  ],
  [
    'a date with a time',
    json({ ...example, since: '2026-01-01T00:00:00Z' }),
    'body $.since: The contract expects text like yyyy-MM-dd, and the provider gives text of another form: 9999-99-99A99:99:99A',
  ],
  [
    'another word',
    json({ ...example, unit: 'Stunden' }),
    'body $.unit: The contract expects just "hours", and the provider gives another value.',
  ],
  [
    'an object for a list',
    json({ ...example, days: { 1: day } }),
    'body $.days: The contract expects a list, and the provider gives an object.',
  ],
  [
    'a list for an object',
    json({ ...example, address: [1] }),
    'body $.address: The contract expects an object, and the provider gives a list.',
  ],
  [
    'an empty list',
    json({ ...example, days: [] }),
    'body $.days: The contract expects at least 1 element, and there are 0.',
  ],
  [
    'a long list',
    json({ ...example, tags: ['a', 'b', 'c'] }),
    'body $.tags: The contract expects at most 2 elements, and there are 3.',
  ],
  ['a list around all', json([example]), 'body $: The contract expects an object, and the provider gives a list.'],
  ['another status', json(example, 201), 'status: The contract expects 200, and the provider answers 201.'],
  [
    'a problem',
    json({ title: 'Not so', detail: 'Ek', errors: [{ pointer: '/a', detail: 'is required' }] }, 400),
    'status: The contract expects 200, and the provider answers 400. Its problem: Not so; /a is required.',
  ],
  ['no JSON', answer('application/json', '{nope'), 'body: The contract expects JSON, and this is none.'],
  ['no body', answer('application/json', ''), 'body: The contract expects a body, and there is none.'],
  [
    'HTML',
    answer('text/html', '<p>'),
    'body: The contract expects application/json, and the provider gives text/html.',
    'header Content-Type: The contract expects application/json, and the provider gives text/html.',
  ],
  ['no header', withRetryAfter(), 'header Retry-After: The contract expects this header, and it is missing.'],
  [
    'a header of another form',
    withRetryAfter('Tue, 3 Nov'),
    'header Retry-After: The contract expects a value like ^\\d+$, and the provider gives a value of another form: Aaa, 9 Aaa',
  ],
  [
    'no content type',
    answer(undefined, JSON.stringify(example)),
    'header Content-Type: The contract expects this header, and it is missing.',
  ],
];

/** What a provider may give beside the example. */
const kept: readonly (readonly [name: string, answer: Answer])[] = [
  ['the example', json(example)],
  [
    'other values of the same form',
    json({ ...example, id: '1', lastName: '', amount: -1.5, days: [day, { ...day, key: 'z' }] }),
  ],
  ['null for text or null', json({ ...example, nickname: null })],
  ['text for text or null', json({ ...example, nickname: 'Lu' })],
  ['more fields', json({ ...example, more: { of: [1] } })],
  ['more of a header', answer('application/json; charset=utf-8', JSON.stringify(example))],
];

function answer(type: string | undefined, body: string): Answer {
  return (response) => void response.writeHead(200, type === undefined ? {} : { 'Content-Type': type }).end(body);
}

function withRetryAfter(value?: string): Answer {
  return (response, request) => {
    if (value === undefined) response.removeHeader('Retry-After');
    else response.setHeader('Retry-After', value);
    json(example)(response, request);
  };
}

const redirect: Answer = (response, { path }) => {
  if (path.endsWith('?again')) json(example)(response, noRequest);
  else response.writeHead(302, { Location: `${path}?again`, 'Content-Type': 'application/json' }).end();
};

const all = [...broken, ...kept, ['a redirect to the right answer', redirect] as const];

let provider: ProviderUnderTest;
let file: string;

beforeAll(async () => {
  provider = await startProvider((response, request) => {
    const index = Number(/^\/(\d+)/.exec(request.path)?.[1]);
    response.setHeader('Retry-After', '1');
    all[index]?.[1](response, request);
  });
  const said = all.map(([description], index) => ({ description, path: `/${index}`, answer: example, rules }));
  const { interactions, ...pact } = pactOf('payroll', said);
  for (const { response } of interactions) {
    Object.assign(response.headers ?? {}, { 'Retry-After': ['0'] });
    Object.assign(response.matchingRules ?? {}, {
      header: { 'Retry-After': matchers({ match: 'regex', regex: '^\\d+$' }) },
    });
  }
  file = await jsonFile({ ...pact, interactions });
});
afterAll(() => provider.stop());

describe.each(verifiers)('$name', ({ verify }) => {
  let interactions: readonly VerifiedInteraction[];

  beforeAll(async () => {
    const options = { provider, source: { files: [file] }, states: {}, token: () => 'real' };
    const { result } = (await verify(options).catch((error: unknown) => error)) as VerificationFailedError;
    ({ interactions } = result);
  });

  function saidOf(name: string): readonly string[] {
    const [found, ...others] = interactions.filter(({ description }) => description === name);
    expect(others).toEqual([]);
    return (found?.faults ?? [{ place: name, sentence: 'is not there' }]).map(
      ({ place, sentence }) => `${place}: ${sentence}`,
    );
  }

  test.each(broken.map(([name, , ...faults]) => ({ name, faults })))('tells of $name', ({ name, faults }) => {
    expect(saidOf(name)).toEqual(faults);
  });

  test('follows no redirect', () => {
    expect(saidOf('a redirect to the right answer').at(-1)).toMatch(/^status: The contract expects /);
  });

  test.each(kept.map(([name]) => name))('lets %s pass', (name) => {
    expect(saidOf(name)).toEqual([]);
  });

  test('shows no value of the provider', () => {
    for (const { description } of interactions)
      expect(saidOf(description).join('\n')).not.toMatch(/Stunden|01\.02|4711/);
  });
});
