import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test, vi } from 'vitest';
import { BankDetails, issuesOf, LocalDateTime, Person, YearMonth } from '../src/index.ts';
import { models } from './models.ts';

describe.each(Object.entries(models))('%s', (_, { schema, specified }) => {
  const issuesIn = (value: unknown) => {
    const { error } = schema.safeParse(value);
    return error ? issuesOf(error, value) : [];
  };

  test('has the fields of the specification and no other', () => {
    expect(Object.keys(schema.shape).toSorted()).toEqual(Object.keys(specified.fields).toSorted());
  });

  test('takes every valid value as it is', () => {
    const taken = fc.property(specified.valid, (value) => {
      expect(schema.parse(value)).toEqual(value);
    });
    fc.assert(taken, { numRuns: 30 * testScale });
  });

  test('refuses one step over each bound and points at the leaf', () => {
    for (const { at, code, value } of specified.faults) {
      const refused = fc.property(value, (bad) => {
        const issues = issuesIn(bad);
        expect(new Set(issues.map(({ pointer }) => pointer))).toEqual(new Set([at]));
        expect(issues.map((issue) => issue.code)).toContain(code);
      });
      fc.assert(refused, { numRuns: Math.ceil(testScale) });
    }
  });

  test('never tells a value in an issue', () => {
    for (const { value } of specified.faults) {
      const [bad] = fc.sample(value, 1);
      expect(JSON.stringify(issuesIn(bad))).not.toMatch(/💩|xx|3704|SOMETHING/u);
    }
  });
});

test.each([
  [true, '💩'.repeat(80)],
  [false, '💩'.repeat(81)],
  [true, `${'💩'.repeat(40)}${'x'.repeat(40)}`],
  [false, `${'💩'.repeat(40)}${'x'.repeat(41)}`],
])('lengths count code points: %s', (fits, firstName) => {
  expect(Person.safeParse({ id: '1', firstName }).success).toBe(fits);
});

test('a regular expression never sees an overlong string', () => {
  const seen: number[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the regular expression below
  const { exec } = RegExp.prototype;
  // Every other use of a regular expression goes through exec, once that is no longer the built-in one.
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function spy(this: RegExp, value: string) {
    seen.push(value.length);
    return exec.call(this, value);
  });
  const long = `${'a'.repeat(1_000_000)}@`;
  const results = [
    BankDetails.safeParse({ iban: 'DE89370400440532013000' }),
    BankDetails.safeParse({ iban: long, bic: long }),
    Person.safeParse({ id: '1', businessEmail: long, dateOfBirth: long }),
    YearMonth.safeParse(long),
    LocalDateTime.safeParse(long),
  ].map(({ success }) => success);
  vi.restoreAllMocks();
  expect(results).toEqual([true, false, false, false, false]);
  expect(seen).toContain(22);
  expect(Math.max(...seen)).toBeLessThan(1000);
});
