import {
  Absence,
  Employment,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  toMinutes,
  VariablePaymentRequest,
} from '@hr/schemas';
import { monthOf } from '@hr/schemas/rules';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, daysFrom, isWorkingDay } from '../src/fixtures/calendar.ts';
import { company, HrTestingError, personOf, type Member } from '../src/fixtures/index.ts';

const UNTIL = '2026-10-31';
const members = [...company({ persons: 200 })];
const cents = (amount: number | undefined): number => Math.round((amount ?? 0) * 100);

/** The months from November 2024 to October 2026. */
const months = Array.from({ length: 24 }, (_, n) => addMonths('2024-11-01', n).slice(0, 7));

/** Everything of a member passes the strict models of the API. */
function check(member: Member): void {
  expect(Person.parse(personOf(member))).toEqual(personOf(member));
  for (const { masterCostCenter, ...employment } of member.employments) {
    expect(masterCostCenter).toMatch(/^\d{4}$/);
    Employment.parse(employment);
  }
  for (const entry of member.salaries) SalaryHistoryEntry.parse(entry);
  for (const day of member.timeDays) TimeBookingDay.parse(day);
  for (const absence of member.absences) Absence.parse(absence);
  for (const { payrollContractId: _contract, billingPeriod, state, ...request } of member.payments) {
    expect(billingPeriod).toMatch(/^\d{4}-\d{2}$/);
    expect(['submitted', 'approved', 'rejected']).toContain(state);
    VariablePaymentRequest.parse(request);
  }
}

const options = fc.record({
  persons: fc.integer({ min: 0, max: 25 }),
  months: fc.integer({ min: 0, max: 30 }),
  timeDays: fc.integer({ min: 0, max: 12 }),
  seed: fc.maxSafeInteger(),
  until: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((instant) => instant.toISOString().slice(0, 10)),
});

test('any company passes the strict models', () => {
  fc.assert(
    fc.property(options, (given) => {
      const made = [...company(given)];
      for (const member of made) check(member);
      const joined = made.filter(({ person }) => String(person.groupEntryDate) > UNTIL);
      expect(made.length - joined.length).toBe(given.persons);
    }),
    { numRuns: 8 * testScale },
  );
  for (const member of members) check(member);
});

test('the same options give the same bytes', () => {
  expect(JSON.stringify([...company({ persons: 200 })])).toBe(JSON.stringify(members));
  expect(company({ persons: 200, seed: 2 }).next().value).not.toEqual(members[0]);
});
test('the bytes of some members, which users rely on', () => {
  const lines = [0, 77, 150].map((number) => {
    const { person, employments, salaries, timeDays } = members[number] as Member;
    return [
      `${person.id} ${person.firstName} ${person.lastName}, ${person.bankDetails?.iban}`,
      `${employments[0]?.payrollContractId} since ${employments[0]?.start}: ${salaries.at(-1)?.totalSalary}`,
      timeDays
        .at(-1)
        ?.bookings?.map(({ time }) => time)
        .join(' '),
    ];
  });
  expect(lines).toMatchInlineSnapshot(`
    [
      [
        "100001 Matthias Roth, DE68990370608834441525",
        "1000-20001 since 2022-02-01: 17849.93",
        undefined,
      ],
      [
        "100078 Íñigo Ibáñez, DE43990700505922012508",
        "2000-20078 since 2010-02-01: 1577.92",
        "2026-10-30T07:28:00 2026-10-30T11:13:00 2026-10-30T11:53:00 2026-10-30T15:35:00",
      ],
      [
        "100151 Monika Seidel, DE14990370606507108596",
        "4000-20151 since 2023-02-01: 3756.59",
        "2026-10-30T08:16:00 2026-10-30T11:55:00 2026-10-30T12:35:00 2026-10-30T16:30:00",
      ],
    ]
  `);
});

test('more months and days only add', () => {
  const few = [...company({ persons: 60, months: 3, timeDays: 5 })];
  const many = [...company({ persons: 60, months: 36, timeDays: 40 })];
  expect(few.map(personOf)).toEqual(many.map(personOf));
  expect(few.map(({ payments }) => payments)).toEqual(many.map(({ payments }) => payments));
  for (const [index, { salaries, timeDays, absences }] of few.entries()) {
    expect(many[index]?.salaries).toEqual(expect.arrayContaining(salaries));
    expect(many[index]?.timeDays.slice(timeDays.length === 0 ? Infinity : -timeDays.length)).toEqual(timeDays);
    expect(many[index]?.absences.slice(absences.length === 0 ? Infinity : -absences.length)).toEqual(absences);
  }
});

/** What a company says of a time that begins with a first of a month, up to the end of a day that was `until` once. */
function saidBy(made: Iterable<Member>, from: string, until: string) {
  return Array.from(made, ({ person, employments, payrollContractIds, ...dated }) => {
    const { exitNoticeDate, exitReasonId, groupExitDate, status: _status, ...known } = person;
    const hasNotice = exitNoticeDate !== undefined && exitNoticeDate <= until;
    const exit = hasNotice && { exitNoticeDate, exitReasonId, groupExitDate };
    const isIn = (month: string): boolean => month >= from.slice(0, 7) && month <= until.slice(0, 7);
    return {
      ...known,
      ...exit,
      payrollContractIds,
      employments: employments.map(({ end, ...employment }) => ({ ...employment, ...(hasNotice && { end }) })),
      salaries: dated.salaries.filter((entry) => isIn(monthOf(entry))),
      timeDays: dated.timeDays.filter(({ date }) => date >= from && date <= until),
      absences: dated.absences.filter(({ startDate }) => startDate >= from && startDate <= until),
      payments: dated.payments.filter(({ billingPeriod }) => isIn(billingPeriod)),
    };
  }).filter(({ groupEntryDate = '' }) => groupEntryDate <= until);
}

const lateDates = { min: new Date('2026-10-31'), max: new Date('2040-12-31'), noInvalidDate: true } as const;

// Notice is given, those who are away with an open end come back, and waiting payments are decided. All else stays.
test('the company of a later day is the same company, and some days more', () => {
  const before = fc.date(lateDates).map((instant) => instant.toISOString().slice(0, 10));
  const given = {
    persons: fc.integer({ min: 0, max: 40 }),
    seed: fc.nat(),
    before,
    days: fc.integer({ min: 0, max: 400 }),
  };
  fc.assert(
    fc.property(fc.record(given), ({ persons, seed, before: until, days }) => {
      const windows = { persons, seed, months: 18, timeDays: 400 };
      const first = [...company({ ...windows, until })];
      const second = [...company({ ...windows, until: addDays(until, days) })];
      const from = addMonths(until, -3);
      const [said, saidLater] = [saidBy(first, from, until), saidBy(second, from, until)];
      const open = new Set(said.flatMap(({ absences }) => absences.flatMap(({ id, endDate }) => (endDate ? [] : id))));
      const withoutEnds = saidLater.map((member) => ({
        ...member,
        absences: member.absences.map((absence) => {
          if (!open.has(absence.id)) return absence;
          const { endDate, amount: _amount, ...started } = absence;
          expect(endDate === undefined || endDate > until).toBe(true);
          return started;
        }),
      }));
      expect(withoutEnds).toEqual(said);
      // What is known ahead stays, too.
      const planned = (made: Member[]) =>
        made.flatMap(({ absences }) => absences.filter(({ startDate }) => startDate > until));
      expect(planned(second)).toEqual(expect.arrayContaining(planned(first)));
      const next = (made: Member[]) =>
        made.flatMap(({ payments }) =>
          payments.filter(({ billingPeriod }) => billingPeriod === addMonths(until, 1).slice(0, 7)),
        );
      expect(next(second)).toMatchObject(
        next(first).map(({ state, ...payment }) => (state === 'submitted' ? payment : { ...payment, state })),
      );
    }),
    { numRuns: 15 * testScale, endOnFailure: true },
  );
});

test('a company keeps its size for years, as people join and leave', () => {
  const later = [...company({ persons: 200, until: '2031-06-15', months: 1, timeDays: 1 })];
  const active = later.filter(({ person }) => person.status === 'ACTIVE');
  expect(Math.abs(active.length - 200)).toBeLessThan(30);
  expect(later.some(({ person }) => Number(person.id) > 100_200 && person.groupExitDate !== undefined)).toBe(true);
  const ids = new Set(active.map(({ person }) => person.id));
  for (const { person } of active) expect(ids.has(person.managerId ?? '100001')).toBe(true);
  for (const member of later) check(member);
});

test('the longest history of the earliest day', () => {
  const [first] = company({ persons: 1, months: 1200, timeDays: 10_000, until: '1990-01-01' });
  check(first as Member);
  expect(first?.timeDays).toEqual([]);
});

const persons = 'company: "persons" is not an integer from 0 to 1000000000. Pass an integer in this range.';
const until = 'company: "until" is not a date from 1990 to 2099. Pass one as YYYY-MM-DD.';
test.each([
  [{ persons: -1 }, persons],
  [{ persons: 1.5 }, persons],
  [{ persons: 1, months: Number.NaN }, /^company: "months" is not an integer from 0 to 1200\. Pass/],
  [{ persons: 1, months: 1201 }, /^company: "months"/],
  [{ persons: 1, timeDays: Number.POSITIVE_INFINITY }, /^company: "timeDays" is not an integer from 0 to 10000\. Pass/],
  [{ persons: 1, seed: 0.1 }, /^company: "seed" is not an integer from -\d+ to \d+\. Pass/],
  [{ persons: 1, until: '2026-02-29' }, until],
  [{ persons: 1, until: '1989-12-31' }, until],
])('%o is rejected at once, by name', (given, message) => {
  expect(() => company(given)).toThrow(HrTestingError);
  expect(() => company(given)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
  expect(() => company(given)).toThrow(message);
});

describe('people', () => {
  test('managers come first, are active, and form a tree below the director', () => {
    const [director, ...others] = members;
    expect(director?.person.managerId).toBeUndefined();
    const known = new Map([[director?.person.id, director]]);
    for (const member of others) {
      const manager = known.get(member.person.managerId);
      expect(manager?.person.status).toBe('ACTIVE');
      known.set(member.person.id, member);
    }
    expect(known.size).toBe(200);
  });

  test('ids, key numbers, e-mail addresses and contract ids differ', () => {
    const many = [...company({ persons: 990, months: 0, timeDays: 0, seed: 5 })];
    const columns = [
      many.map(({ person }) => person.id),
      many.map(({ person }) => person.keyNumber),
      many.map(({ person }) => person.businessEmail),
      many.flatMap(({ payrollContractIds }) => payrollContractIds),
    ];
    for (const values of columns) expect(new Set(values).size).toBe(values.length);
  });

  test('e-mail addresses are plain letters at example domains', () => {
    for (const { person } of members) {
      expect(person.businessEmail).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*@example\.(com|org)$/);
    }
  });

  test('leavers are inactive, and others are active', () => {
    const leavers = members.filter(({ person }) => person.groupExitDate !== undefined);
    for (const { person, employments } of members) {
      const gone = person.groupExitDate !== undefined && person.groupExitDate < UNTIL;
      expect(person.status).toBe(gone ? 'INACTIVE' : 'ACTIVE');
      expect(person.exitReasonId === undefined).toBe(person.groupExitDate === undefined);
      expect(employments.every(({ end }) => end === person.groupExitDate)).toBe(true);
    }
    for (const { person } of leavers) {
      const dates = [person.dateOfBirth, person.groupEntryDate, person.exitNoticeDate, person.groupExitDate].map(
        String,
      );
      expect(dates).toEqual(dates.toSorted());
    }
    expect(new Set(leavers.map(({ person }) => person.status))).toEqual(new Set(['ACTIVE', 'INACTIVE']));
  });

  test('people are at least 16 at the start, and younger than 67 today', () => {
    for (const { person } of members) {
      const age = (at: string | undefined): number => daysFrom(String(person.dateOfBirth), String(at)) / 365.25;
      expect(age(person.groupEntryDate)).toBeGreaterThan(15.9);
      expect(age(UNTIL)).toBeLessThan(67);
    }
  });

  test('the pension of those born since 1964 starts in the month after their last day of being 66', () => {
    const born = members.filter(({ person }) => String(person.dateOfBirth) >= '1964');
    expect(born.length).toBeGreaterThan(150);
    for (const { person } of born) {
      const lastDay = addDays(
        String(person.dateOfBirth).replace(/^\d{4}/, (year) => String(Number(year) + 67)),
        -1,
      );
      expect(daysFrom(lastDay, String(person.expectedStartOfPension))).toBeLessThanOrEqual(32);
      expect(person.expectedStartOfPension).toMatch(/-01$/);
      expect(String(person.expectedStartOfPension) > lastDay).toBe(true);
    }
  });

  test('names are of many kinds, and none is a middle name', () => {
    const has = (pattern: RegExp): boolean =>
      members.some(({ person: { firstName, lastName } }) => pattern.test(`${firstName} ${lastName}`));
    for (const pattern of [/[äöü]/, /ß/, /[éèëçñ]/, /[łğşı]/, /\w-\w/, /'/, /.{30}/])
      expect([pattern, has(pattern)]).toEqual([pattern, true]);
    for (const field of [
      'academicTitle',
      'titleOfNobility',
      'prefixToLastName',
      'suffixToLastName',
      'birthName',
    ] as const) {
      expect([field, members.some(({ person }) => person[field])]).toEqual([field, true]);
    }
    expect(members.some(({ person }) => 'middleName' in person)).toBe(false);
  });

  test('addresses are of both kinds, each zip code in the state of its country', () => {
    const addresses = members.map(({ person }) => person.address);
    expect(addresses.some((address) => address?.postOfficeBox)).toBe(true);
    for (const address of addresses) {
      expect(address?.stateCode?.slice(0, 2)).toBe(address?.country);
      expect(Boolean(address?.street && address.houseNumber)).toBe(!address?.postOfficeBox);
      expect(address?.zipCode).toMatch(address?.country === 'DE' ? /^\d{5}$/ : /^\d{4}( [A-Z]{2})?$/);
    }
  });

  test('IBANs have the right check digits and length, and the BIC of their bank', () => {
    const lengths: Record<string, number> = { DE: 22, AT: 20, NL: 18 };
    const bicOf = new Map<string, unknown>();
    for (const { person } of [...members, ...company({ persons: 900, seed: 3, months: 0, timeDays: 0 })]) {
      const { iban = '', bic } = person.bankDetails ?? {};
      let rest = 0;
      for (const character of iban.slice(4) + iban.slice(0, 4)) {
        for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
      }
      expect(rest).toBe(1);
      expect(iban).toHaveLength(lengths[iban.slice(0, 2)] ?? 0);
      expect(bic?.slice(4, 6)).toBe(iban.slice(0, 2));
      const bank = iban.slice(0, 2) + iban.slice(4, iban.startsWith('DE') ? 12 : iban.startsWith('AT') ? 9 : 8);
      expect(bicOf.get(bank) ?? bic).toBe(bic);
      bicOf.set(bank, bic);
    }
    expect(new Set([...bicOf.keys()].map((bank) => bank.slice(0, 2)))).toEqual(new Set(['DE', 'AT', 'NL']));
  });
});

describe('contracts', () => {
  test('all are mapped; some people have several, in different legal entities', () => {
    for (const { employments, payrollContractIds } of members) {
      const ids = employments.map(({ payrollContractId }) => payrollContractId);
      expect(payrollContractIds.slice(0, ids.length)).toEqual(ids);
      expect(new Set(ids.map((id) => id.split('-')[0])).size).toBe(ids.length);
      expect(employments.map(({ start }) => start)).toEqual(employments.map(({ start }) => start).toSorted());
    }
    expect(members.some(({ employments }) => employments.length === 2)).toBe(true);
    expect(members.some((member) => member.payrollContractIds.length > member.employments.length)).toBe(true);
  });

  test('full time, part time and fixed terms match their fields', () => {
    for (const employment of members.flatMap(({ employments }) => employments)) {
      const { workingHours, fullTime, permanent, fixedTermEndDate } = employment;
      expect(fullTime).toBe(workingHours?.weekly === 38.5);
      expect(permanent).toBe(fixedTermEndDate === undefined);
      expect(workingHours?.daily).toBeCloseTo((workingHours?.weekly ?? 0) / 5, 10);
    }
  });

  test('a person leaves before a fixed term ends', () => {
    for (const { employments } of company({ persons: 2000, months: 0, timeDays: 0 })) {
      for (const { end, fixedTermEndDate = '9999-12-31' } of employments) {
        expect((end ?? UNTIL) < fixedTermEndDate).toBe(true);
      }
    }
  });
});

describe('salaries', () => {
  const entries = members.flatMap(({ salaries }) => salaries);

  test('components sum up to the total, to the cent', () => {
    for (const { totalSalary, baseSalary, values = [] } of entries) {
      expect(values[0]?.value).toBe(baseSalary);
      expect(values.reduce((sum, { value }) => sum + cents(value), 0)).toBe(cents(totalSalary));
      for (const amount of [totalSalary, ...values.map(({ value }) => value)]) expect(cents(amount) / 100).toBe(amount);
    }
  });

  test('there is one for each of two years of months in which the contract ran', () => {
    for (const { employments, salaries } of members) {
      for (const { payrollContractId, start, end = '9999-12' } of employments) {
        const paid = salaries.filter((entry) => entry.payrollContractId === payrollContractId).map(monthOf);
        const expected = months.filter((month) => month >= start.slice(0, 7) && month <= end.slice(0, 7));
        expect(paid).toEqual(expected);
      }
    }
  });

  test('base salaries rise, November brings a 13th one, and approved payments are paid', () => {
    const [director] = members;
    const base = (director as Member).salaries.map(({ baseSalary = 0 }) => baseSalary);
    expect(base).toEqual(base.toSorted((one, other) => one - other));
    expect(base.at(-1)).toBeGreaterThan(base[0] as number);
    const november = (director as Member).salaries.find(({ month }) => month === 11);
    expect(november?.totalSalary).toBeGreaterThanOrEqual((november?.baseSalary ?? 0) * 2);

    for (const { payments, salaries } of members) {
      for (const payment of payments.filter(({ state }) => state !== 'submitted')) {
        const entry = salaries.find(
          (one) => monthOf(one) === payment.billingPeriod && one.payrollContractId === payment.payrollContractId,
        );
        if (!entry) continue;
        const paid = entry.values?.some((value) => value.compensationComponentId === payment.compensationComponentId);
        expect(paid).toBe(payment.state === 'approved');
      }
    }
  });
});

describe('variable payments', () => {
  test('belong to own contracts and have all three states; only those of the next month are open', () => {
    const payments = members.flatMap((member) => {
      const own = member.employments.map(({ payrollContractId }) => payrollContractId);
      for (const { payrollContractId, billingPeriod, correctionPeriod = billingPeriod } of member.payments) {
        expect(own).toContain(payrollContractId);
        const { start, end = '9999' } = member.employments[own.indexOf(payrollContractId)] as {
          start: string;
          end?: string;
        };
        expect(start.slice(0, 7) <= correctionPeriod && billingPeriod <= end.slice(0, 7)).toBe(true);
      }
      return member.payments;
    });
    expect(new Set(payments.map(({ state }) => state))).toEqual(new Set(['submitted', 'approved', 'rejected']));
    for (const { state, billingPeriod, correctionPeriod = '0000-00' } of payments) {
      expect(state === 'submitted' && billingPeriod !== '2026-11').toBe(false);
      expect(correctionPeriod < billingPeriod).toBe(true);
    }
    expect(payments.some(({ amount = 0 }) => amount < 0)).toBe(true);
  });
});

describe('time', () => {
  test('each working day has bookings in order, and a break that is too short is deducted', () => {
    let short = 0;
    for (const { bookings = [], targetTime, bookedTime, chargeableTime, date } of members.flatMap(
      (one) => one.timeDays,
    )) {
      const [target, booked, chargeable] = [targetTime, bookedTime, chargeableTime].map((time) =>
        toMinutes(time ?? 0),
      ) as [number, number, number];
      const minutes = bookings.map(({ time }) => Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16)));
      expect(bookings.every(({ time }) => time.startsWith(date))).toBe(true);
      expect(bookings.map(({ key }) => key)).toEqual(bookings.map((_, index) => (index % 2 ? '2' : '1')));
      expect(minutes).toEqual(minutes.toSorted((one, other) => one - other));
      const worked = minutes.reduce((sum, minute, index) => sum + (index % 2 ? minute : -minute), 0);
      expect(booked).toBe(worked);
      expect(booked).toBeLessThan(600);
      const pause = bookings.length === 4 ? (minutes[2] as number) - (minutes[1] as number) : 0;
      const least = booked > 540 ? 45 : booked > 360 ? 30 : 0;
      expect(chargeable).toBe(bookings.length === 0 ? target : booked - Math.max(0, least - pause));
      if (chargeable < booked) short++;
    }
    expect(short).toBeGreaterThan(0);
  });

  test('all but heads of departments book the last twenty working days on which a contract runs', () => {
    const days = Array.from({ length: 60 }, (_, n) => addDays(UNTIL, -n))
      .filter(isWorkingDay)
      .slice(0, 20)
      .toReversed();
    for (const [number, { timeDays, employments }] of members.entries()) {
      const running = days.filter((day) => employments.some(({ start, end = day }) => start <= day && day <= end));
      expect(timeDays.map(({ date }) => date)).toEqual(number <= 8 ? [] : running);
    }
  });

  test('absences do not overlap, count working days, and have no bookings', () => {
    for (const { person, absences, timeDays } of members) {
      let before = String(person.groupEntryDate) > '2024-11-01' ? String(person.groupEntryDate) : '2024-11-01';
      for (const { personId, startDate, endDate, amount } of absences) {
        expect(personId).toBe(person.id);
        expect(startDate >= before).toBe(true);
        // Somebody may fall ill without a known end before a planned absence.
        before = addDays(endDate ?? startDate, 1);
        const days = Array.from({ length: endDate ? daysFrom(startDate, endDate) : 0 }, (_, n) =>
          addDays(startDate, n),
        );
        expect(endDate === undefined ? undefined : days.filter(isWorkingDay).length).toBe(amount);
      }
      for (const { date, bookings } of timeDays) {
        const absent = absences.some(({ startDate, endDate = date }) => startDate <= date && date <= endDate);
        expect(bookings?.length === 0).toBe(absent);
      }
      const last = absences.at(-1)?.endDate ?? '0000-00-00';
      expect(last <= (person.groupExitDate ?? '9999-12-31')).toBe(true);
    }
    const all = members.flatMap(({ absences }) => absences);
    expect(all.some(({ endDate }) => endDate === undefined)).toBe(true);
    expect(all.some(({ startDate }) => startDate > UNTIL)).toBe(true);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});
