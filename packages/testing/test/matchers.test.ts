import {
  BankDetails,
  Decimal,
  HoursMinutes,
  LocalDate,
  LocalDateTime,
  Person,
  TokenResponse,
  YearMonth,
} from '@hr/schemas';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { matchersOf } from '../src/contract/matchers/matchers-of.ts';
import { foundByPact } from './pact-core.ts';

interface Kind {
  readonly model: z.ZodType;
  readonly example: unknown;
  /** What has to match besides, and what must not. */
  readonly right: readonly unknown[];
  readonly wrong?: readonly unknown[];
}

const named = z.strictObject({ name: z.string() });
const kinds: Readonly<Record<string, Kind>> = {
  text: { model: Person.shape.lastName, example: 'Kaya', right: ['', 'Ünal\n', '5'] },
  'an open list of values': {
    model: Person.shape.groups,
    example: [{ id: '1', type: 'COMPANY' }],
    right: [[{ id: '2', type: 'NEW' }]],
  },
  'a list of values': {
    model: Person.shape.gender,
    example: 'MALE',
    right: ['FEMALE'],
    wrong: ['male', 'MALES', 'FE', 'MALE|FEMALE'],
  },
  'a literal text': {
    model: TokenResponse.shape.token_type,
    example: 'Bearer',
    right: ['Bearer'],
    wrong: ['bearer', 'Bearer '],
  },
  'a literal truth': { model: z.literal(true), example: true, right: [true], wrong: [false] },
  decimal: { model: Decimal, example: 2.5, right: [0, -3, 250, 1e11, 0.001] },
  'a whole decimal': { model: Decimal, example: 250, right: [250.75, -1e12] },
  'hours and minutes': { model: HoursMinutes, example: 1.3, right: [0, 8, -7.45] },
  integer: { model: z.int().gte(0), example: 7, right: [0, 12], wrong: [0.5] },
  truth: { model: z.boolean(), example: false, right: [true, false], wrong: ['false', 'true', 0, 1] },
  date: {
    model: LocalDate,
    example: '2026-01-31',
    right: ['2024-02-29', '0001-01-01', '9999-12-31'],
    wrong: [
      '2026-1-31',
      '31.01.2026',
      '20260131',
      '2026-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-01-31T08:00:00',
      ' 2026-01-31',
      '2026-01-31\n',
      '٢٠٢٦-٠١-٣١',
    ],
  },
  month: {
    model: YearMonth,
    example: '2026-01',
    right: ['2026-12'],
    wrong: ['2026-13', '2026-00', '2026-1', '01/2026', '2026-01-01', 202601],
  },
  'local date and time': {
    model: LocalDateTime,
    example: '2026-01-31T08:15:00',
    right: ['2026-01-31T23:59', '2024-02-29T00:00:59.123456789'],
    wrong: [
      '2026-01-31T24:00:00',
      '2026-01-31T08:15:00Z',
      '2026-01-31T08:15:00+01:00',
      '2026-02-29T08:15:00',
      '2026-01-31 08:15:00',
      '2026-01-31',
      '2026-01-31T08:15:00.',
    ],
  },
  pattern: {
    model: BankDetails.shape.iban,
    example: 'DE89370400440532013000',
    right: ['NL91ABNA0417164300'],
    wrong: ['de89370400440532013000', 'DE89 3704', 'DE8', '٠٠'],
  },
  'a pattern that looks like JSON': {
    model: Person.shape.businessEmail,
    example: 'a@b',
    right: ['x@y@z'],
    wrong: ['ab', '@', { mail: 'a@b' }, ['a@b']],
  },
  'a field without value': { model: z.string().nullable(), example: null, right: [null], wrong: ['x', ''] },
  'a field that has one': { model: z.string().nullable(), example: 'x', right: ['y'], wrong: [null] },
  nested: {
    model: z.object({ inner: named }),
    example: { inner: { name: 'x' } },
    right: [{ inner: { name: 'y' }, more: 1 }],
    wrong: [{ name: 'x' }, { inner: { inner: { name: 'x' } } }, { inner: [{ name: 'x' }] }, { inner: { name: 5 } }],
  },
  list: {
    model: z.array(named),
    example: [{ name: 'x' }],
    right: [[{ name: 'y' }], [{ name: 'y' }, { name: 'z', more: 1 }]],
    wrong: [[], { name: 'x' }, [{ name: 'x' }, {}], [{ name: 'x' }, { name: 5 }], [[{ name: 'x' }]], [null]],
  },
  'list of a least length': {
    model: z.array(z.int()).min(2),
    example: [1, 2],
    right: [
      [3, 4],
      [3, 4, 5],
    ],
    wrong: [[], [3], [3, 4, 'x']],
  },
  'list of texts': {
    model: z.array(z.string()),
    example: ['x'],
    right: [['y', 'z']],
    wrong: [[], [5], ['x', null], 'x'],
  },
  'list in a list': {
    model: z.array(z.object({ days: z.array(LocalDate) })),
    example: [{ days: ['2026-01-31'] }],
    right: [[{ days: ['2026-02-01', '2026-02-02'] }]],
    wrong: [[{ days: [] }], [{ days: ['2026-01-31', 'x'] }], [{ days: ['2026-01-31'] }, { days: ['x'] }]],
  },
  'empty list': { model: z.array(named), example: [], right: [[]], wrong: [[{ name: 'x' }], {}] },
  'list of at least two': {
    model: z.array(named),
    example: [{ name: 'x' }, { name: 'y' }],
    right: [
      [{ name: 'a' }, { name: 'b', more: 1 }],
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ],
    wrong: [
      [],
      [{ name: 'a' }],
      [{ name: 'a' }, {}],
      [{ name: 'a' }, { name: 5 }],
      [{ name: 'a' }, { name: 'b' }, { name: 5 }],
    ],
  },
  'list of at least two in a list': {
    model: z.array(z.object({ tags: z.array(z.string()) })),
    example: [{ tags: ['x', 'y'] }, { tags: ['v', 'w'] }],
    right: [[{ tags: ['a', 'b'] }, { tags: ['c', 'd', 'e'] }]],
    wrong: [
      [{ tags: ['a', 'b'] }],
      [{ tags: ['a', 'b'] }, { tags: ['a'] }],
      [{ tags: ['a', 'b'] }, { tags: ['a', 5] }],
    ],
  },
  'an object of which nothing is read': {
    model: z.object({ size: z.int().optional() }),
    example: {},
    right: [{}, { size: 1 }],
  },
};

/** Of most kinds, each of these is a wrong type. */
const anything = [null, 'some text', '', 5, 1.5, true, {}, { some: 'a@b' }, [], ['some text'], [null]];

const cases = Object.entries(kinds).flatMap(([kind, { model, example, right, wrong = [] }]) => {
  const { content } = matchersOf(z.object({ field: model }), { field: example });
  const wrongTypes = anything.filter((value) => !model.safeParse(value).success);
  return [
    ...right.map((value) => ({ kind, content, answer: { field: value }, matches: true })),
    ...[undefined, ...wrong, ...wrongTypes].map((value) => ({
      kind,
      content,
      answer: { field: value },
      matches: false,
    })),
  ];
});

test('Pact accepts right values and rejects wrong ones', async () => {
  const found = await foundByPact(cases);
  const judged = cases.map(
    ({ kind, answer }, index) => `${kind}: ${JSON.stringify(answer)} ${found[index]?.length === 0}`,
  );
  expect(judged).toEqual(cases.map(({ kind, answer, matches }) => `${kind}: ${JSON.stringify(answer)} ${matches}`));
});

test('lists the unsupported rules of the fields in use', () => {
  expect(
    matchersOf(z.array(Person), [{ id: '1', gender: 'MALE', bankDetails: { iban: 'DE89370400440532013000' } }]),
  ).toEqual({
    content: {
      'pact:matcher:type': 'type',
      min: 1,
      value: [
        {
          id: { 'pact:matcher:type': 'type', value: '1' },
          gender: {
            'pact:matcher:type': [
              { 'pact:matcher:type': 'type' },
              { 'pact:matcher:type': 'regex', regex: '^(?:MALE|FEMALE|INTERSEX|UNSPECIFIED)$' },
            ],
            value: 'MALE',
          },
          bankDetails: {
            iban: {
              'pact:matcher:type': [
                { 'pact:matcher:type': 'type' },
                { 'pact:matcher:type': 'regex', regex: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$' },
              ],
              value: 'DE89370400440532013000',
            },
          },
        },
      ],
    },
    unsupportedRules: [
      { of: 'response', pointer: '', rule: 'may be empty' },
      { of: 'response', pointer: '/0/id', rule: 'at least 1 characters' },
      { of: 'response', pointer: '/0/id', rule: 'at most 255 characters' },
      { of: 'response', pointer: '/0/gender', rule: 'may be missing' },
      { of: 'response', pointer: '/0/bankDetails', rule: 'may be missing' },
      { of: 'response', pointer: '/0/bankDetails/iban', rule: 'may be missing' },
    ],
  });
});

const lostOf = (model: z.ZodType, example: unknown) =>
  matchersOf(z.object({ field: model }), { field: example }).unsupportedRules.map(({ rule }) => rule);

test.each<[kind: string, model: z.ZodType, example: unknown, lost: string[]]>([
  ['a range', Decimal, 1, ['at least -1000000000000', 'at most 1000000000000']],
  ['no bound of its own', z.int(), 1, []],
  [
    'a form of numbers',
    HoursMinutes,
    1,
    ['in the form hours-minutes', 'at least -1000000000000', 'at most 1000000000000'],
  ],
  [
    'a length beside an endless pattern',
    Person.shape.businessEmail,
    'a@b',
    ['may be missing', 'at most 254 characters'],
  ],
  ['a pattern that engines read differently', z.string().regex(/^(?!x).*$/), 'a', ['must match ^(?!x).*$']],
  ['numbers of a list', z.literal([1, 2]), 1, ['one of 1, 2']],
  ['null beside a value', z.string().nullable(), 'x', ['may be null']],
  ['a value beside null', z.string().nullable(), null, ['may have a value']],
  ['that there may be none', z.array(z.boolean()), [true], ['may be empty']],
  ['that there may be some', z.array(z.boolean()), [], ['may have elements']],
  ['that there are none, in a list', z.array(z.array(z.boolean())), [[]], ['may be empty', 'has no elements']],
  [
    'rules about several fields',
    Person.shape.address,
    { city: 'Ulm', street: 'Weg' },
    [
      'may be missing',
      'what its fields mean for one another',
      'may be missing',
      'at most 255 characters',
      'may be missing',
      'at most 255 characters',
    ],
  ],
  [
    'no rules about several fields where one is used',
    Person.shape.address,
    { city: 'Ulm' },
    ['may be missing', 'may be missing', 'at most 255 characters'],
  ],
])('%s', (_, model, example, lost) => {
  expect(lostOf(model, example)).toEqual(lost);
});

test.each<[fault: string, model: z.ZodType, example: unknown, told: string]>([
  [
    'a wrong value',
    z.array(Person),
    [{ gender: 'MAN' }],
    '/0/gender must be one of MALE, FEMALE, INTERSEX, UNSPECIFIED',
  ],
  ['an unknown key', Person, { shoeSize: 43 }, '/shoeSize is not known here; remove it or correct its name'],
  [
    'a former key',
    Person,
    { address: { postalCode: '89073' } },
    '/address/postalCode is the former name of zipCode; write that',
  ],
  ['null', Person, { lastName: null }, '/lastName must be a string'],
  [
    'fields that exclude each other',
    Person,
    { address: { street: 'Weg', postOfficeBox: '5' } },
    '/address/street must be empty or absent beside a filled postOfficeBox',
  ],
  ['nothing', Person, undefined, 'example is missing. Give the fields that your code reads.'],
  [
    'elements of different fields',
    z.array(z.object({ id: z.string(), size: z.int() })),
    [{ id: '1' }, { size: 1 }],
    'the elements of the list differ in shape',
  ],
  [
    'what no rule is known for',
    z.object({ size: z.unknown() }),
    { size: { x: 1 } },
    '/size has a model without a matcher',
  ],
  ['a kind of model that is not known', z.array(z.boolean()).readonly(), [true], 'has a model without a matcher'],
])('rejects an example with %s, with its place', (_, model, example, told) => {
  expect(() => matchersOf(model, example)).toThrow(told);
});

test('in a request, elements may differ in shape, and each is like the one at its place', () => {
  const model = z.array(z.object({ id: z.string().optional(), size: z.int().optional() }));
  const { content } = matchersOf(model, [{ id: '1' }, { size: 1 }], 'request');
  expect(content).toMatchObject([{ id: { value: '1' } }, { size: { value: 1 } }]);
});
