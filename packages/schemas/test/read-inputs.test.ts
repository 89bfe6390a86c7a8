import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../src/index.ts';
import { decodeFormValue, parseForm } from '../src/provider/decode.ts';
import { structureFault } from '../src/provider/index.ts';
import { readInputs } from '../src/provider/read-inputs.ts';

const wireNames = { from: 'startDate', to: 'endDate' };
const nothing = { path: {}, query: [], idempotencyKey: undefined, body: undefined };

/** Pointer and code of each fault. */
function faults({ issues }: ReturnType<typeof readInputs>): string[] {
  return issues.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('the inputs of a request', () => {
  test('are given under the names of the table, their faults under those of the URL', () => {
    const query = [
      ['startDate', '2026-03-02'],
      ['endDate', '2026-03-01'],
    ] as const;
    const read = readInputs({ ...operations.listTimeBookings, wireNames }, { ...nothing, query });
    expect(read.query).toEqual({ from: '2026-03-02', to: '2026-03-01' });
    expect(faults(read)).toEqual(['/startDate rule']);
  });

  test('of other or of repeated names are refused, and the names that there are told', () => {
    const query = [
      ['from', '2026-03-02'],
      ['endDate', '2026-03-01'],
      ['endDate', '2026-03-01'],
      ['a/~', ''],
    ] as const;
    const read = readInputs({ ...operations.listTimeBookings, wireNames }, { ...nothing, query });
    expect(faults(read)).toEqual(['/from unknown-name', '/endDate rule', '/a~1~0 unknown-name']);
    expect(read.issues[0]?.detail).toBe('is not known here; allowed: startDate, endDate, changedSince, after');
  });

  test('are checked all at once, and only bodies that the operation takes', () => {
    const sent = { path: { contractId: '' }, query: [], idempotencyKey: 'a b', body: { amount: 'x' } };
    expect(faults(readInputs(operations.submitVariablePayment, sent))).toEqual([
      '/contractId too-short',
      '/billingPeriod required',
      '/Idempotency-Key wrong-format',
      '/compensationComponentId required',
      '/amount wrong-type',
    ]);
    expect(faults(readInputs(operations.listPersons, { ...nothing, body: 5 }))).toEqual([]);
  });

  test('never show a name that is too long', () => {
    const query = [['x'.repeat(1000), '']] as const;
    expect(readInputs(operations.listPersons, { ...nothing, query }).issues[0]?.pointer).toHaveLength(81);
  });
});

describe('a form', () => {
  test('is read as it was written', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    const property = fc.property(pairs, (fields) => {
      expect(parseForm(new URLSearchParams(fields).toString())).toEqual(fields);
    });
    fc.assert(property);
  });

  test.each(['%', '%zz', '%ff', 'a=%E0%80'])('%s is none', (text) => {
    expect(parseForm(text)).toBeUndefined();
    expect(decodeFormValue(text)).toBeUndefined();
  });

  test('is decoded once', () => {
    expect(decodeFormValue('a+b%2B%2520')).toBe('a b+%20');
  });
});

test.each([
  ['{"a":[{"b":1},{"b":1,"b":2}]}', '/a/1/b'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, ''],
  [`[${'0,'.repeat(10_000)}0]`, ''],
])('the structure of %.30s is refused', (text, pointer) => {
  expect(structureFault(text)).toMatchObject({ pointer, code: 'rule' });
});

test.each(['{"a":{"a":1},"b":{"a":1}}', `${'['.repeat(32)}${']'.repeat(32)}`, '["a","a"]', String.raw`{"\"":1,"'":2}`])(
  'the structure of %.30s is not',
  (text) => {
    expect(structureFault(text)).toBeUndefined();
  },
);
