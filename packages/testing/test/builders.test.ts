import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as fixtures from '../src/fixtures/index.ts';
import { allBuilders, modelNames } from './all-builders.ts';

test('every model has a builder of its name, and every builder a model', () => {
  expect(allBuilders.map(({ modelName }) => modelName).toSorted()).toEqual(modelNames.toSorted());
});

describe.each(allBuilders)('$name', ({ model, builder }) => {
  test('makes what the strict model takes and JSON carries, of any seed, with any traits', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.subarray([...builder.traits]), (seed, traits) => {
        for (const value of builder
          .seeded(seed)
          .with(...traits)
          .list(4)) {
          expect(model.parse(value)).toEqual(value);
          expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('makes the same bytes of the same seed, and others of another', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => JSON.stringify(builder.seeded(seed).list(20)));
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('makes different values one after the other', () => {
    const values = builder
      .seeded(7)
      .list(20)
      .map((value) => JSON.stringify(value));
    expect(new Set(values).size).toBeGreaterThan(1);
  });
});

function distinct(values: readonly unknown[]): number {
  return new Set(values).size;
}

test('ids differ', () => {
  const persons = fixtures.person.seeded(3).list(500);
  expect(distinct(persons.map(({ id }) => id))).toBe(500);
  expect(distinct(persons.map(({ keyNumber }) => keyNumber))).toBe(500);
  expect(distinct(persons.map(({ businessEmail }) => businessEmail))).toBe(500);
  expect(
    distinct(
      fixtures.employment
        .seeded(3)
        .list(500)
        .map((one) => one.payrollContractId),
    ),
  ).toBe(500);
  expect(
    distinct(
      fixtures.absence
        .seeded(3)
        .list(500)
        .map(({ id }) => id),
    ),
  ).toBe(500);
});

test('overrides replace whole fields, and undefined leaves one out', () => {
  const builder = fixtures.person.seeded(1);
  const built = builder.build({ lastName: 'Özdemir', address: { city: 'Bad Münder' }, jobTitle: undefined });
  expect(built).toMatchObject({ lastName: 'Özdemir', address: { city: 'Bad Münder' } });
  expect(built.address).toEqual({ city: 'Bad Münder' });
  expect(built).not.toHaveProperty('jobTitle');
  expect(builder.list(3, { status: 'INACTIVE' }).map(({ status }) => status)).toEqual([
    'INACTIVE',
    'INACTIVE',
    'INACTIVE',
  ]);
});

test('a builder goes on where it was, and a seeded one starts anew', () => {
  const builder = fixtures.bankDetails.seeded(5);
  expect([builder.build(), ...builder.list(2)]).toEqual(builder.seeded(5).list(3));
});

test('builders of one seed agree on persons and contracts', () => {
  const persons = fixtures.person.seeded(9).list(30);
  const ids = persons.map(({ id }) => id);
  const contracts = persons.map(({ employments }) => employments?.[0]);
  const contractIds = contracts.map((contract) => contract?.payrollContractId);
  expect(fixtures.employment.seeded(9).list(30)).toEqual(contracts);
  expect(
    fixtures.absence
      .seeded(9)
      .list(30)
      .map(({ personId }) => personId),
  ).toEqual(ids);
  expect(
    fixtures.timeBookingPerson
      .seeded(9)
      .list(30)
      .map(({ personId }) => personId),
  ).toEqual(ids);
  expect(
    fixtures.salaryHistoryEntry
      .seeded(9)
      .list(30)
      .map((one) => one.payrollContractId),
  ).toEqual(contractIds);
  expect(
    fixtures.variablePayment
      .seeded(9)
      .list(30)
      .map((one) => one.payrollContractId),
  ).toEqual(contractIds);
  expect(fixtures.variablePayment.seeded(9).list(30)).toMatchObject(fixtures.variablePaymentRequest.seeded(9).list(30));
});

test('a full person has its arrays and an empty middle name', () => {
  expect(fixtures.person.build()).toMatchObject({
    middleName: '',
    groups: expect.any(Array),
    employments: expect.any(Array),
    customFields: expect.any(Array),
    payrollContractIds: expect.any(Array),
  });
});

test.each([-1, 1.5, Number.NaN])('a list of %d is refused', (count) => {
  expect(() => fixtures.person.list(count)).toThrow(RangeError);
  expect(fixtures.person.list(0)).toEqual([]);
});
