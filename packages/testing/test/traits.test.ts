import { toMinutes } from '@hr/schemas';
import { fieldsOf } from '@hr/schemas/rules';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { fixtures } from '../src/fixtures/index.ts';
import { allBuilders } from './all-builders.ts';

const TODAY = '2026-10-31';
const seeds = fc.maxSafeInteger();
const first = () => fixtures({ seed: 2 }).person;

describe.each(allBuilders)('$name', ({ builder, seeded, model }) => {
  test('each trait makes a difference', () => {
    const plain = JSON.stringify(seeded(5).list(20));
    const without = builder.traits.filter((trait) => JSON.stringify(seeded(5).with(trait).list(20)) === plain);
    expect(without).toEqual([]);
  });

  test('the order of traits and repeated traits make no difference', () => {
    fc.assert(
      fc.property(seeds, fc.shuffledSubarray([...builder.traits]), (seed, chosen) => {
        let oneByOne = seeded(seed);
        for (const trait of [...chosen, ...chosen]) oneByOne = oneByOne.with(trait);
        const inOrder = seeded(seed).with(...builder.traits.filter((trait) => chosen.includes(trait)));
        expect(oneByOne.list(3)).toEqual(inOrder.list(3));
      }),
      { numRuns: 6 * testScale },
    );
  });

  test('traits make a valid value of any valid one', () => {
    fc.assert(
      fc.property(seeds, fc.subarray([...builder.traits]), (seed, chosen) => {
        const any = seeded(seed)
          .with(...chosen)
          .arbitrary(fc);
        for (const value of fc.sample(any, { numRuns: 15, seed: seed % 2 ** 31 }))
          expect(model.parse(value)).toEqual(value);
      }),
      { numRuns: 6 * testScale },
    );
  });
});

describe('persons', () => {
  const { traits: personTraits } = fixtures().person;

  test('are consistent with any traits', () => {
    const traits = personTraits.filter((trait) => trait !== 'minimal');
    fc.assert(
      fc.property(seeds, fc.subarray(traits), (seed, chosen) => {
        const { person } = fixtures({ seed });
        for (const one of person.with(...chosen).list(3)) {
          const { employments = [], groupEntryDate = '', groupExitDate = '9999-12-31', dateOfBirth = '' } = one;
          const { exitNoticeDate = groupEntryDate, expectedStartOfPension = '' } = one;
          for (const { start = '', end, fixedTermEndDate, ...terms } of employments) {
            for (const last of [groupExitDate, fixedTermEndDate ?? groupExitDate]) {
              const dates = [dateOfBirth, groupEntryDate, start, last];
              expect(dates).toEqual(dates.toSorted());
            }
            expect(end).toBe(one.groupExitDate);
            expect((end ?? TODAY) <= (fixedTermEndDate ?? groupExitDate)).toBe(true);
            expect(terms.fullTime).toBe(terms.workingHours?.weekly === 38.5);
            expect(terms.permanent).toBe(fixedTermEndDate === undefined);
          }
          const dates = [groupEntryDate, exitNoticeDate, groupExitDate];
          expect(dates).toEqual(dates.toSorted());
          expect(one.status).toBe(groupExitDate < TODAY ? 'INACTIVE' : 'ACTIVE');
          expect(one.exitReasonId === undefined).toBe(one.groupExitDate === undefined);
          expect(Number(expectedStartOfPension.slice(0, 4))).toBeGreaterThan(Number(dateOfBirth.slice(0, 4)) + 65);

          const contractIds = employments.map(({ payrollContractId }) => payrollContractId);
          expect(new Set(contractIds).size).toBe(contractIds.length);
          expect(one.payrollContractIds).toEqual(expect.arrayContaining(contractIds));
        }
      }),
      { numRuns: 100 * testScale },
    );
  });

  test.each([1, 2, 3])('come and go as their traits say, with seed %i', (seed) => {
    const { person: some } = fixtures({ seed });
    for (const one of some.with('newHire').list(30)) expect(one).toMatchObject({ groupEntryDate: '2026-10-01' });
    for (const { groupExitDate = '' } of some.with('plannedLeaver').list(30)) expect(groupExitDate > TODAY).toBe(true);
    for (const { groupExitDate = 'z' } of some.with('leaver').list(30)) expect(groupExitDate < TODAY).toBe(true);
    for (const { groupExitDate = 'z' } of some.with('leaver', 'newHire').list(9)) {
      expect(groupExitDate > '2026-10-01').toBe(true);
    }
  });

  test('work as their traits say', () => {
    for (const { employments = [] } of first().with('partTime').list(30)) {
      expect(employments.map(({ fullTime }) => fullTime)).not.toContain(true);
    }
    for (const { employments = [] } of first().with('severalContracts').list(30)) {
      const companies = employments.map(({ payrollContractId }) => payrollContractId.split('-')[0]);
      expect(new Set(companies).size).toBe(2);
      expect(employments.some(({ fullTime }) => fullTime)).toBe(false);
    }
  });

  test('have and lack what their traits say', () => {
    expect(first().with('minimal').build()).toEqual({ id: first().build().id });
    expect(Object.keys(first().with('minimal', 'postOfficeBox').build())).toEqual(['id', 'address']);
    expect(first().with('minimal', 'severalContracts').build().employments).toHaveLength(2);
    expect(first().with('street').build().address).toHaveProperty('street');
    expect(first().with('postOfficeBox').build().address).not.toHaveProperty('street');
    expect(first().with('postOfficeBox').build().address).toHaveProperty('postOfficeBox');
    const { employments = [], payrollContractIds = [] } = first().with('unknownContract').build();
    expect(payrollContractIds.length).toBe(employments.length + 1);
    expect(first().with('customFields').build().customFields).toEqual([
      { name: expect.any(String), type: 'STRING', textValue: expect.any(String) },
      { name: expect.any(String), numberValue: expect.any(Number) },
      { name: expect.any(String), booleanValue: expect.any(Boolean) },
      { name: expect.any(String), dateValue: expect.any(String) },
      { name: expect.any(String), selection: expect.any(Array) },
    ]);
    const named = first().with('everyNamePart').build();
    for (const part of ['academicTitle', 'birthName', 'prefixToLastName', 'titleOfNobility', 'suffixToLastName']) {
      expect(named).toHaveProperty(part, expect.stringMatching(/./));
    }
  });
});

describe('other models', () => {
  const made = fixtures({ seed: 3 });
  const { absence, customField, personDelta, personPatch, problem, salaryHistoryEntry, timeBookingDay } = made;

  test('addresses', () => {
    const { address, streetAddress, bankDetails } = made;
    expect(address.with('street').build()).not.toHaveProperty('postOfficeBox');
    expect(address.with('postOfficeBox').build()).not.toHaveProperty('street');
    expect(address.with('emptyStreet').build()).toMatchObject({
      street: '',
      houseNumber: '',
      postOfficeBox: expect.stringMatching(/\d/),
    });
    for (const { country } of streetAddress.with('abroad').list(9)) expect(country).toMatch(/^(AT|NL)$/);
    for (const { iban } of bankDetails.with('abroad').list(9)) expect(iban).toMatch(/^(AT|NL)/);
    expect(bankDetails.with('otherPayee').build()).toHaveProperty('payee');
  });

  test('changes of persons', () => {
    expect(Object.keys(personPatch.with('onlyBankDetails').build())).toEqual(['bankDetails']);
    expect(Object.keys(personPatch.with('onlyAddresses').build())).toEqual(['addresses']);
    expect(personPatch.with('severalAddresses', 'postOfficeBox').build().addresses).toHaveLength(2);
    expect(personPatch.with('clearedAddresses').build().addresses).toEqual([]);

    expect(Object.keys(personDelta.with('onlyPayroll').build()).toSorted()).toEqual(
      ['id', ...fieldsOf('payroll')].toSorted(),
    );
    expect(personDelta.with('onlyTime', 'cleared').build()).toMatchObject({ id: expect.any(String), keyNumber: null });
    const erased = personDelta.with('erased', 'onlyTime').build();
    expect(erased).toMatchObject({ erased: true, bankDetails: null, lastName: null });
    expect(personDelta.with('onlyMaster').build()).not.toHaveProperty('keyNumber');
  });

  test.each([made.variablePaymentRequest, made.variablePayment])('payments', (builder) => {
    const valuesOf = ({ amount, hours, hourlyFactor, days, percentage }: ReturnType<typeof builder.build>) =>
      Object.entries({ amount, hours, hourlyFactor, days, percentage }).flatMap(([name, value]) =>
        value ? [name] : [],
      );
    expect(valuesOf(builder.with('byAmount').build())).toEqual(['amount']);
    expect(valuesOf(builder.with('byHours').build())).toEqual(['hours']);
    expect(valuesOf(builder.with('byFactor').build())).toEqual(['hours', 'hourlyFactor']);
    expect(valuesOf(builder.with('byDays').build())).toEqual(['days']);
    expect(valuesOf(builder.with('byPercentage').build())).toEqual(['percentage']);
    for (const { amount, hours, days, percentage } of builder.with('reversal').list(20)) {
      expect(amount ?? hours ?? days ?? percentage).toBeLessThan(0);
    }
    expect(builder.with('correction').build().correctionPeriod).toBe('2026-09');
  });

  test('salaries sum up', () => {
    for (const { totalSalary = 0, baseSalary = 0, values = [] } of salaryHistoryEntry.with('reversal').list(20)) {
      const cents = values.reduce((sum, { value = 0 }) => sum + Math.round(value * 100), 0);
      expect(cents).toBe(Math.round(totalSalary * 100));
      expect(totalSalary).toBeLessThan(baseSalary);
    }
  });

  test('days and absences', () => {
    for (const { bookedTime = 0, targetTime = 0 } of timeBookingDay.with('overtime').list(20)) {
      expect(toMinutes(bookedTime)).toBeGreaterThan(toMinutes(targetTime));
    }
    expect(timeBookingDay.with('absent').build()).toMatchObject({ bookedTime: 0, chargeableTime: 7.42, bookings: [] });
    expect(timeBookingDay.with('stillThere').build().bookings).toHaveLength(1);

    const half = absence.with('halfDay').build();
    expect(half).toMatchObject({ endDate: half.startDate, amount: 0.5 });
    expect(absence.with('openEnded').build()).not.toHaveProperty('endDate');
  });

  test.each(['number', 'boolean', 'date', 'selection'] as const)('custom fields: %s', (trait) => {
    const names = Object.keys(customField.with(trait).build());
    expect(new Set(names)).toEqual(new Set(['name', trait === 'selection' ? trait : `${trait}Value`]));
  });

  test('problems and tokens', () => {
    expect(problem.with('too-many-requests').build()).toMatchObject({
      type: 'urn:hr-cloud:problem:too-many-requests',
      status: 429,
      requestId: expect.any(String),
    });
    expect(problem.with('invalid-request').build().errors).toHaveLength(1);
    expect(made.introspectionResponse.with('inactive').build()).toEqual({ active: false });
  });
});
