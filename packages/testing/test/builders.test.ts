import type { Address } from '@hr/schemas';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeEach, describe, expect, test } from 'vitest';
import { company, fixtures, HrTestingError } from '../src/fixtures/index.ts';
import { allBuilders, modelNames } from './all-builders.ts';

test('every model has a builder of its name, and every builder a model', () => {
  expect(allBuilders.map(({ modelName }) => modelName).toSorted()).toEqual(modelNames.toSorted());
});

describe.each(allBuilders)('$name', ({ model, builder, seeded }) => {
  test('makes values that the strict model accepts and JSON carries, for any seed and traits', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.subarray([...builder.traits]), (seed, chosen) => {
        const made = seeded(seed).with(...chosen);
        for (const value of made.list(4)) {
          expect(model.parse(value)).toEqual(value);
          expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        }
      }),
      { numRuns: 20 * testScale },
    );
  });

  test('makes the same bytes for the same seed, and others for another', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => JSON.stringify(seeded(seed).list(20)));
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('makes different values in a row', () => {
    const values = seeded(7).list(20);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });
});

test('ids differ', () => {
  const { person, employment, absence } = fixtures({ seed: 3 });
  const persons = person.list(500);
  const columns = [
    persons.map(({ id }) => id),
    persons.map(({ keyNumber }) => keyNumber),
    persons.map(({ businessEmail }) => businessEmail),
    employment.list(500).map(({ payrollContractId }) => payrollContractId),
    absence.list(500).map(({ id }) => id),
  ];
  for (const values of columns) expect(new Set(values).size).toBe(500);
});

test('a full person has its arrays and an empty middle name', () => {
  expect(fixtures().person.build()).toMatchObject({
    middleName: '',
    groups: expect.any(Array),
    employments: expect.any(Array),
    customFields: expect.any(Array),
    payrollContractIds: expect.any(Array),
  });
});

describe('seeds', () => {
  test('the default seed is 1', () => {
    expect(fixtures().person.list(3)).toEqual(fixtures({ seed: 1 }).person.list(3));
    expect(fixtures({}).person.list(3)).toEqual(fixtures({ seed: 1 }).person.list(3));
  });

  test('a value depends on the seed and its place only, not on what others build', () => {
    const { person, absence } = fixtures({ seed: 5 });
    const other = fixtures({ seed: 5 });
    other.person.list(9);
    absence.list(4);
    const [first, second] = person.list(2);
    expect(fixtures({ seed: 5 }).person.build()).toEqual(first);
    other.reset();
    expect(other.person.with('leaver').build().id).toBe(first?.id);
    expect(other.person.build()).toEqual(second);
  });

  test('builders of one seed agree on persons and contracts', () => {
    const made = fixtures({ seed: 9 });
    const persons = made.person.list(30);
    const ids = persons.map(({ id }) => id);
    const contracts = persons.map(({ employments }) => employments?.[0]);
    const contractIds = contracts.map((contract) => contract?.payrollContractId);
    expect(made.employment.list(30)).toEqual(contracts);
    expect(made.absence.list(30).map(({ personId }) => personId)).toEqual(ids);
    expect(made.timeBookingPerson.list(30).map(({ personId }) => personId)).toEqual(ids);
    expect(made.personDelta.list(30).map(({ id }) => id)).toEqual(ids);
    expect(made.salaryHistoryEntry.list(30).map((one) => one.payrollContractId)).toEqual(contractIds);
    const payments = made.variablePayment.list(30);
    expect(payments.map((one) => one.payrollContractId)).toEqual(contractIds);
    expect(payments).toMatchObject(made.variablePaymentRequest.list(30));
  });

  test.each([0.5, Number.NaN, 2 ** 53, '7' as never])('%s is rejected', (seed) => {
    const range = `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
    const sentence = `fixtures: "seed" is not an integer ${range}. Pass an integer in this range.`;
    expect(() => fixtures({ seed })).toThrow(expectedError(sentence));
  });
});

describe('reset', () => {
  const { person, absence, reset } = fixtures({ seed: 4 });
  const leaver = person.with('leaver');
  beforeEach(reset);

  test.each([1, 2, 3])('starts every builder from its first value again, also one with traits: %i', (count) => {
    const fresh = fixtures({ seed: 4 });
    expect(person.list(count)).toEqual(fresh.person.list(count));
    expect(leaver.list(count)).toEqual(fresh.person.with('leaver').list(count));
    expect(absence.list(count)).toEqual(fresh.absence.list(count));
  });
});

test('a builder with traits shares the sequence of the one it came from', () => {
  const { person } = fixtures({ seed: 4 });
  const leaver = person.with('leaver');
  const made = [person.build(), leaver.build(), person.build(), leaver.with('partTime').build()];
  expect(made.map(({ id }) => id)).toEqual(
    fixtures({ seed: 4 })
      .person.list(4)
      .map(({ id }) => id),
  );
  expect(made.map(({ groupExitDate = '' }) => groupExitDate !== '')).toEqual([false, true, false, true]);
});

describe('overrides', () => {
  const { person, personDelta, personPatch, timeBookingPerson, reset } = fixtures({ seed: 1 });
  beforeEach(reset);
  const plain = fixtures({ seed: 1 }).person.build();

  test('replace fields at any depth and keep the rest', () => {
    const built = person.build({ lastName: 'Özdemir', address: { city: 'Bonn' }, legalEntity: { id: 'x' } });
    expect(built).toEqual({
      ...plain,
      lastName: 'Özdemir',
      address: { ...plain.address, city: 'Bonn' },
      legalEntity: { id: 'x' },
    });
    expect(Object.keys(built.address ?? {}).length).toBeGreaterThan(3);
    expect(person.list(2, { address: { city: 'Bonn' } }).map(({ address }) => address?.city)).toEqual(['Bonn', 'Bonn']);
  });

  test('leave out a field that is undefined, at any depth', () => {
    const built = person.build({
      jobTitle: undefined,
      address: { city: undefined },
      groups: [{ id: 'it', type: undefined }],
    });
    const { city: _city, ...address } = plain.address as Address;
    const { jobTitle: _jobTitle, ...rest } = plain;
    expect(built).toStrictEqual({ ...rest, address, groups: [{ id: 'it' }] });
    expect(person.build({ address: undefined })).not.toHaveProperty('address');
  });

  test('replace arrays whole', () => {
    expect(person.build({ employments: [{ payrollContractId: '1-77' }] }).employments).toEqual([
      { payrollContractId: '1-77' },
    ]);
    expect(person.build({ groups: [] }).groups).toEqual([]);
    expect(timeBookingPerson.build({ days: [{ date: '2026-02-03' }] }).days).toEqual([{ date: '2026-02-03' }]);
    const patch = personPatch.build({ addresses: [{ city: 'Bonn' }], bankDetails: { payee: 'Ek' } });
    expect(patch).toMatchObject({ addresses: [{ city: 'Bonn' }], bankDetails: { iban: expect.any(String) } });
  });

  test('add to what is absent, and replace or set null', () => {
    expect(person.with('minimal').build({ address: { city: 'Bonn' } }).address).toEqual({ city: 'Bonn' });
    expect(personDelta.build({ address: null }).address).toBeNull();
    expect(personDelta.with('cleared').build({ address: { city: 'Bonn' } }).address).toEqual({ city: 'Bonn' });
  });

  test('apply after traits', () => {
    const { status, groupExitDate } = person.with('leaver').build({ status: 'ACTIVE' });
    expect([status, groupExitDate === undefined]).toEqual(['ACTIVE', false]);
  });

  test('are not validated, so that a test can build an invalid value', () => {
    const date = new Date(0);
    expect(person.build({ dateOfBirth: date as never, address: 'Bonn' as never })).toMatchObject({
      dateOfBirth: date,
      address: 'Bonn',
    });
  });

  test('and values share no objects', () => {
    const overrides = { address: { city: 'Bonn' }, groups: [{ id: 'it' }] };
    const [one, other] = person.list(2, overrides);
    for (const built of [one, other]) {
      Object.assign(built?.address ?? {}, { city: 'Ulm' });
      Object.assign(built?.groups?.[0] ?? {}, { id: 'changed' });
    }
    expect(overrides).toEqual({ address: { city: 'Bonn' }, groups: [{ id: 'it' }] });
    expect(one?.groups?.[0]).not.toBe(other?.groups?.[0]);
    expect(person.build({ groups: overrides.groups }).groups).toEqual([{ id: 'it' }]);
  });

  test('do not reach prototypes', () => {
    const built = person.build(JSON.parse('{ "__proto__": { "polluted": true }, "address": { "city": "Bonn" } }'));
    expect(built.address?.city).toBe('Bonn');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(built).not.toHaveProperty('polluted');
  });
});

test.each([-1, 1.5, Number.NaN, 1e7, undefined as never])('a list of %s is rejected', (count) => {
  const { person } = fixtures();
  const sentence = 'person.list: "count" is not an integer from 0 to 1000000. Pass an integer in this range.';
  expect(() => person.list(count)).toThrow(expectedError(sentence));
  expect(person.list(0)).toEqual([]);
  expect(person.build()).toEqual(fixtures().person.build());
});

test('an unknown trait or option, and a missing fast-check, are rejected by name', () => {
  const { absence, person, tokenRequest } = fixtures();
  const rejected: readonly (readonly [call: () => unknown, message: string])[] = [
    [
      () => absence.with('minimal', 'nosuch' as never),
      'absence.with: unknown trait "nosuch". Use minimal, halfDay, openEnded.',
    ],
    [
      () => tokenRequest.with('leaver' as never),
      'tokenRequest.with: unknown trait "leaver". This builder has no traits.',
    ],
    [() => fixtures({ sed: 7 } as object), 'fixtures: unknown option "sed". Use seed.'],
    [
      () => company({ persons: 1, month: 3 } as never),
      'company: unknown option "month". Use persons, months, timeDays, seed, until.',
    ],
    [() => person.arbitrary(undefined as never), 'person.arbitrary: fast-check is missing. Pass its default export.'],
  ];
  for (const [call, message] of rejected) expect(call).toThrow(expectedError(message));
});

/** What an error has to be like. */
function expectedError(message: string): unknown {
  return expect.objectContaining({ name: HrTestingError.name, code: 'invalid-option', message });
}
