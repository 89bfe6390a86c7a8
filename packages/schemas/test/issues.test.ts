import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  Address,
  IdempotencyKey,
  issuesOf,
  jsonPointer,
  operations,
  PersonPatch,
  VariablePaymentRequest,
  type OperationId,
} from '../src/index.ts';
import { checkPart } from '../src/checks.ts';
import { renames } from '../src/renames.ts';

function faultsOf(schema: typeof PersonPatch | typeof Address | typeof VariablePaymentRequest, value: unknown) {
  const { error } = schema.safeParse(value);
  return error ? issuesOf(error, value).map(({ pointer, code }) => [pointer, code]) : [];
}

test('pointers are those of RFC 6901', () => {
  expect(jsonPointer([])).toBe('');
  expect(jsonPointer(['addresses', 0, 'zipCode'])).toBe('/addresses/0/zipCode');
  expect(jsonPointer(['a/b', 'm~n', '~1', ''])).toBe('/a~1b/m~0n/~01/');
});

test.each(Object.entries(renames.Address))('%s in a request is told to be %s', (former, current) => {
  const value = { addresses: [{ city: 'Ulm' }, { [former]: 'x' }] };
  const { error } = PersonPatch.safeParse(value);
  expect(error && issuesOf(error, value)).toEqual([
    { pointer: `/addresses/1/${former}`, code: 'former-name', detail: expect.stringContaining(` ${current};`) },
  ]);
});

test.each(['__proto__', 'constructor', 'shoe/size', 'zipcode'])('%o in a request is unknown', (name) => {
  const value: unknown = JSON.parse(`{"bankDetails":{"${name}":1}}`);
  expect(faultsOf(PersonPatch, value)).toEqual([[`/bankDetails${jsonPointer([name])}`, 'unknown-name']]);
});

test('an unknown name is cut to well-formed text without control characters', () => {
  const [[pointer] = []] = faultsOf(PersonPatch, { [`\0${'x'.repeat(78)}💩${'y'.repeat(1000)}`]: 1 });
  expect(pointer).toBe(`/\uFFFD${'x'.repeat(78)}\uFFFD`);
});

test('beside a filled post-office box there is no street', () => {
  const box = { postOfficeBox: '7', zipCode: '10115' };
  expect(faultsOf(Address, { ...box, street: '', houseNumber: '' })).toEqual([]);
  expect(faultsOf(Address, box)).toEqual([]);
  expect(faultsOf(Address, { street: 'Hauptstr.', houseNumber: '5a', postOfficeBox: '' })).toEqual([]);
  expect(faultsOf(Address, { ...box, street: 'Hauptstr.' })).toEqual([['/street', 'rule']]);
  expect(faultsOf(PersonPatch, { addresses: [box, { ...box, street: 'Hauptstr.', houseNumber: '5a' }] })).toEqual([
    ['/addresses/1/street', 'rule'],
    ['/addresses/1/houseNumber', 'rule'],
  ]);
});

test.each([
  ['listPersons', { changedSince: new Date() }, '/changedSince'],
  ['listSalaryHistory', { from: new Date(0) }, '/from'],
] as const)('a Date in the query of %s is refused with the format of a date', (id, query, pointer) => {
  const detail = 'must be a string such as 2026-01-31 or 2026-01, not a Date';
  const issue = { pointer, code: 'wrong-type', detail };
  expect(checkPart(id, 'query', query).issues).toEqual([issue]);
  const { error } = operations[id].query.safeParse(query);
  expect(error && issuesOf(error, query)).toEqual([issue]);
});

test.each([
  ['listPersons', { after: 'a b' }, 'wrong-format', 'must be the HR-Cursor of an earlier response'],
  ['getChanges', { after: '' }, 'wrong-format', 'must be the HR-Cursor of an earlier response'],
  ['getChanges', { wait: '51' }, 'wrong-format', 'must be a whole number of seconds from 0 to 50'],
  ['getChanges', { wait: '0.5' }, 'wrong-format', 'must be a whole number of seconds from 0 to 50'],
  [
    'listTimeBookings',
    { after: 'c', changedSince: '2026-01-31' },
    'rule',
    'must not be given together with changedSince',
  ],
] as const)('the query of %s is refused: %j', (id, query, code, detail) => {
  const pointer = 'wait' in query ? '/wait' : '/after';
  expect(checkPart(id, 'query', query).issues).toEqual([{ pointer, code, detail }]);
});

test('an amount that was computed is refused with a hint until it is rounded', () => {
  const payment = { compensationComponentId: 'BONUS', amount: 0.1 + 0.2 };
  expect(checkPart('submitVariablePayment', 'body', payment).issues).toEqual([
    { pointer: '/amount', code: 'wrong-format', detail: expect.stringContaining('Math.round(amount * 100) / 100') },
  ]);
  const law = fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (computed) => {
    const amount = Math.round(computed * 100) / 100;
    expect(faultsOf(VariablePaymentRequest, { ...payment, amount })).toEqual([]);
  });
  fc.assert(law);
});

test('a payment needs a value', () => {
  const payment = { compensationComponentId: 'BONUS' };
  expect(faultsOf(VariablePaymentRequest, payment)).toEqual([['', 'rule']]);
  expect(faultsOf(VariablePaymentRequest, { ...payment, correctionPeriod: '2026-01' })).toEqual([['', 'rule']]);
  for (const name of ['amount', 'hours', 'days', 'hourlyFactor', 'percentage']) {
    expect(faultsOf(VariablePaymentRequest, { ...payment, [name]: -1 })).toEqual([]);
    expect(faultsOf(VariablePaymentRequest, { ...payment, [name]: 0 })).toEqual([]);
  }
});

test('an empty change is one', () => {
  expect(faultsOf(PersonPatch, {})).toEqual([]);
  expect(faultsOf(PersonPatch, { addresses: [], bankDetails: {} })).toEqual([]);
});

test.each([null, [], 'x', undefined])('%o is no body', (value) => {
  expect(faultsOf(PersonPatch, value)).toEqual([['', value === undefined ? 'required' : 'wrong-type']]);
});

const periods: [OperationId, string, string][] = [
  ['listTimeBookings', '2026-01-31', '2026-02-01'],
  ['listAbsences', '2026-01-31', '2026-02-01'],
  ['listSalaryHistory', '2025-12', '2026-01'],
  ['listAllSalaries', '2025-12', '2026-01'],
  ['listAllAbsences', '2026-01-31', '2026-02-01'],
];

test.each(periods)('%s takes a period in order only', (id, first, last) => {
  const { query } = operations[id];
  for (const value of [{}, { from: last }, { to: first }, { from: first, to: last }, { from: first, to: first }]) {
    expect(query.safeParse(value).success).toBe(true);
  }
  const turned = { from: last, to: first };
  const { error } = query.safeParse(turned);
  expect(error && issuesOf(error, turned)).toEqual([
    { pointer: '/from', code: 'rule', detail: 'must not be after the end' },
  ]);
});

test('queries are strict', () => {
  for (const { query, pathParameters } of Object.values(operations)) {
    for (const schema of [query, pathParameters]) {
      const { error } = schema.safeParse({ limit: '10' });
      expect(error && issuesOf(error, { limit: '10' })).toContainEqual(
        expect.objectContaining({ pointer: '/limit', code: 'unknown-name' }),
      );
    }
  }
  const { error } = operations.submitVariablePayment.query.safeParse({});
  expect(error && issuesOf(error, {})).toEqual([
    { pointer: '/billingPeriod', code: 'required', detail: 'is required' },
  ]);
});

test.each([
  ['k', true],
  ['!~"{}\\', true],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
  ['', false],
  ['a b', false],
  ['a, b', false],
  ['a\n', false],
  ['ä', false],
  ['\x7f', false],
])('the idempotency key %j is one: %s', (key, isOne) => {
  const { error } = IdempotencyKey.safeParse(key);
  expect(error && issuesOf(error, key)).toEqual(
    isOne
      ? undefined
      : [{ pointer: '', code: 'wrong-format', detail: 'must be 1 to 255 visible ASCII characters without spaces' }],
  );
});

test('an array that is too long or too short says so in elements', () => {
  const schema = z.object({ ids: z.array(z.string()).min(1).max(2) });
  const found = (ids: string[]) => {
    const { error } = schema.safeParse({ ids });
    return error ? issuesOf(error, { ids }) : [];
  };
  expect(found([])).toEqual([{ pointer: '/ids', code: 'too-short', detail: 'must have at least 1 elements' }]);
  expect(found(['1', '2', '3'])).toEqual([
    { pointer: '/ids', code: 'too-long', detail: 'must have at most 2 elements' },
  ]);
});
