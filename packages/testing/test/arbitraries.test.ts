import * as schemas from '@hr/schemas';
import fc, { type Arbitrary } from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { fixtures } from '../src/fixtures/index.ts';
import { allBuilders } from './all-builders.ts';

const { person, personDelta, timeBookingDay, variablePaymentRequest } = fixtures();

describe.each(allBuilders)('$name', ({ builder, model }) => {
  test('any value passes the strict model and survives JSON', () => {
    fc.assert(
      fc.property(builder.arbitrary(fc), (value) => {
        expect(model.parse(value)).toEqual(value);
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
      { numRuns: 40 * testScale },
    );
  });

  test('each field is sometimes present, and each optional one sometimes missing', () => {
    const values = fc.sample(builder.arbitrary(fc), { numRuns: 60, seed: 1 });
    for (const [name, field] of Object.entries(model.shape)) {
      const present = values.filter((value) => name in value).length;
      expect([name, present > 0, present < 60]).toEqual([name, true, field.safeParse(undefined).success]);
    }
  });

  test('shrinks to a minimal value', () => {
    const smallest = shrunk(builder.arbitrary(fc), () => false);
    const optional = Object.entries(model.shape).filter(([, field]) => field.safeParse(undefined).success);
    const present = optional.filter(([name]) => name in smallest);
    expect(present.length).toBeLessThanOrEqual(1);
  });
});

/** The smallest counterexample that fast-check finds. */
function shrunk<T>(arbitrary: Arbitrary<T>, holds: (value: T) => boolean): T {
  const { counterexample } = fc.check(fc.property(arbitrary, holds), { seed: 7, numRuns: 1000 });
  return (counterexample as [T])[0];
}

const persons = fc.sample(person.arbitrary(fc), { numRuns: 200, seed: 1 });

test('text reaches its bounds, in code points, and has characters of two UTF-16 units', () => {
  const names = persons.flatMap(({ lastName }) => lastName ?? []);
  const lengths = names.map((name) => Array.from(name).length);
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([0, 80]);
  expect(names.some((name) => name.length > 80)).toBe(true);
  expect(names.join('').isWellFormed()).toBe(true);
});

test('numbers and dates reach their bounds', () => {
  const payments = fc.sample(variablePaymentRequest.arbitrary(fc), { numRuns: 2000, seed: 3 });
  const amounts = payments.flatMap(({ amount }) => amount ?? []);
  expect([Math.min(...amounts), Math.max(...amounts)]).toEqual([-1e12, 1e12]);
  const days = fc.sample(timeBookingDay.arbitrary(fc), { numRuns: 2000, seed: 3 });
  const dates = days.map(({ date }) => date).toSorted();
  expect([dates.at(0), dates.at(-1)]).toEqual(['0001-01-01', '9999-12-31']);
  expect(dates).toContain('2024-02-29');
  const minutes = days.flatMap(({ bookedTime }) => bookedTime ?? []).map((time) => schemas.toMinutes(time) % 60);
  expect(Math.max(...minutes)).toBe(59);
});

test('identifiers reach 255 characters, and IBANs their 34', () => {
  expect(Math.max(...persons.map(({ id }) => Array.from(id).length))).toBe(255);
  const ibans = persons.flatMap(({ bankDetails }) => bankDetails?.iban ?? []).map(({ length }) => length);
  expect([Math.min(...ibans), Math.max(...ibans)]).toEqual([5, 34]);
  const mails = persons.flatMap(({ businessEmail }) => businessEmail ?? []).map((mail) => Array.from(mail).length);
  expect(Math.max(...mails)).toBeGreaterThan(100);
});

test('known values of open lists occur, and others', () => {
  const types = persons.flatMap(({ groups = [] }) => groups.map(({ type }) => type));
  expect(types).toContain('COMPANY');
  expect(types.some((type) => type !== undefined && type !== 'COMPANY')).toBe(true);
});

test('only a delta has null', () => {
  expect(JSON.stringify(fc.sample(personDelta.arbitrary(fc), { numRuns: 50, seed: 1 }))).toContain(':null');
  expect(JSON.stringify(persons)).not.toContain(':null');
});

test('a failure shrinks to what matters', () => {
  expect(shrunk(person.arbitrary(fc), ({ address }) => address?.city === undefined)).toEqual({
    id: expect.stringMatching(/^.$/su),
    address: { city: '' },
  });
  expect(shrunk(variablePaymentRequest.arbitrary(fc), ({ hours = 0 }) => hours <= 40)).toEqual({
    compensationComponentId: expect.stringMatching(/^.$/su),
    hours: 40.01,
  });
});

test('traits apply to any valid value', () => {
  fc.assert(
    fc.property(person.with('leaver').arbitrary(fc), ({ status, groupExitDate = '9' }) => {
      expect(status).toBe('INACTIVE');
      expect(groupExitDate < '2026-10-31').toBe(true);
    }),
  );
});
