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
import { matchersOf } from '../src/pact/matchers/matchers-of.ts';
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
    example: [1],
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
  'an object of which nothing is read': {
    model: z.object({ size: z.int().optional() }),
    example: {},
    right: [{}, { size: 1 }],
  },
  record: {
    model: z.record(z.string(), named),
    example: { a: { name: 'x' } },
    right: [{ b: { name: 'y' }, c: { name: 'z' } }],
    wrong: [{ b: { name: 5 } }, { b: {} }, { b: 'x' }, { a: { name: 'x' }, b: null }],
  },
  'one of several kinds': {
    model: z.union([named, z.object({ size: z.int() })]),
    example: { size: 1 },
    right: [{ size: 2 }],
    wrong: [{ name: 'x' }],
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

test('Pact takes what is right and refuses what is wrong, kind by kind', async () => {
  const found = await foundByPact(cases);
  const judged = cases.map(
    ({ kind, answer }, index) => `${kind}: ${JSON.stringify(answer)} ${found[index]?.length === 0}`,
  );
  expect(judged).toEqual(cases.map(({ kind, answer, matches }) => `${kind}: ${JSON.stringify(answer)} ${matches}`));
});
