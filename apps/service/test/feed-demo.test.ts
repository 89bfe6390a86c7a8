import { createHash } from 'node:crypto';
import { Person } from '@hr/schemas';
import { company, personOf } from '@hr/testing/fixtures';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { erasePerson } from '../src/erasure/erase-person.ts';
import { decidePayment, paymentList } from '../src/payroll/payment-handlers.ts';
import { submitVariablePayment } from '../src/payroll/submit-variable-payment.ts';
import { personList } from '../src/persons/person-list.ts';
import { DEMO_COMPANY, yesterday } from '../src/demo/demo-command.ts';
import { demoCompany, loadDemo } from '../src/demo/load-demo.ts';
import { anyDriver } from './drivers.ts';
import { listText } from './list-text.ts';
import { feedDatabase, inWords, storePatch, type FeedDatabase } from './feed.ts';

const UNTIL = '2026-12-30';

test('DEMO_COMPANY is the hash of companies, so that no folder keeps a former one', () => {
  const companies = [{ until: UNTIL }, { after: UNTIL, until: '2027-04-02' }].map(demoCompany);
  const hash = createHash('sha256').update(JSON.stringify(companies)).digest('hex');
  expect(DEMO_COMPANY).toBe(hash);
});

test.each([
  ['2027-01-01T00:30:00+01:00', 'Europe/Berlin', '2026-12-31'],
  ['2027-03-28T23:30:00Z', 'Europe/Berlin', '2027-03-28'],
  ['2028-03-01T12:00:00Z', 'UTC', '2028-02-29'],
  ['2026-01-01T12:00:00Z', 'UTC', '2026-10-31'],
])('at %s in %s, the company ends on %s', (now, timeZone, day) => {
  expect(yesterday(timeZone, new Date(now))).toBe(day);
});

type Stored = Record<'id' | 'payrollContractId' | 'billingPeriod' | 'compensationComponentId' | 'state', string>;

const inShort = (payment: Omit<Stored, 'id'>): string =>
  [payment.payrollContractId, payment.billingPeriod, payment.compensationComponentId, payment.state].join(' ');

async function storedPayments(database: Database): Promise<Stored[]> {
  return JSON.parse(await listText(database, paymentList({}, 'UTC'))) as Stored[];
}

const rowsOf = async (db: FeedDatabase): Promise<string[]> =>
  Object.values(await db.rows()).flatMap((rows) => rows.map((row) => JSON.stringify(row)));

/** Than those whom the test below changes. */
const isOfOthers = (text: string): boolean => !/\b(?:100|\d000-20)11[34]\b/.test(text);

describe.each(anyDriver)('the demo on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });

  test('is a whole company with payments of each state, and the same when it is loaded again', async () => {
    const { badLines, lines, outcomes } = await loadDemo(db.database, { until: UNTIL });
    expect(badLines).toBe(0);
    expect(outcomes.person).toMatchObject({ created: 305 });

    const members = [...company({ persons: 300, until: UNTIL })];
    const persons = Object.values(await db.persons());
    expect(persons.map(({ id }) => id)).toEqual(members.map(({ person }) => person.id).toSorted());
    const names = members.flatMap(({ person }) => (person.customFields ?? []).map((field) => field.name));
    const shown = JSON.parse(await listText(db.database, personList({ customFields: names }))) as Person[];
    for (const member of members.slice(0, 20)) {
      const expected = personOf(member);
      expect(shown.find(({ id }) => id === expected.id)).toEqual(expected);
      expect(persons.find(({ id }) => id === expected.id)).toEqual({ ...expected, customFields: [] });
    }
    for (const person of persons) Person.parse(person);

    const payments = await storedPayments(db.database);
    expect(payments.map(inShort)).toEqual(members.flatMap((member) => member.payments).map(inShort));
    const states = new Set(payments.map(({ state }) => state));
    expect(states).toEqual(new Set(['submitted', 'approved', 'rejected']));

    const again = await loadDemo(db.database, { until: UNTIL });
    expect(again.lines).toBe(lines);
    for (const words of Object.values(inWords(again))) expect(words).toMatch(/^unchanged \d+$/);
    expect(await storedPayments(db.database)).toEqual(payments);
  });

  test('continues on a later day as if it had begun then, and keeps what people have changed', async () => {
    const { database } = db;
    const now = '2027-02-03';
    const inNewYear = (payment: Stored): boolean => payment.billingPeriod === '2027-01';
    const [approved, rejected] = (await storedPayments(database)).filter(
      (payment) => payment.state === 'submitted' && inNewYear(payment),
    ) as [Stored, Stored];
    const decide = (id: string, state: 'approved' | 'rejected'): Promise<unknown> =>
      decidePayment(database, { id, state, decidedBy: 'somebody' });
    await Promise.all([decide(approved.id, 'approved'), decide(rejected.id, 'rejected')]);
    const { payrollContractId, billingPeriod } = approved;
    const payment = { compensationComponentId: '2400', amount: 1 };
    const own = await submitVariablePayment(database, { payrollContractId, billingPeriod, payment, clientId: 'demo' });
    // 100113 leaves in January, so the feed has the person again.
    await storePatch(database, '100113', { bankDetails: { iban: 'DE1234567890' } });
    await database.transaction((transaction) => erasePerson(transaction, '100114', 'somebody'));
    await loadDemo(database, { after: UNTIL, until: now });
    await loadDemo(database, { after: UNTIL, until: now });
    const [persons, payments] = [await db.persons(), await storedPayments(database)];
    expect(persons['100113']).toMatchObject({ bankDetails: { iban: 'DE1234567890' }, status: 'INACTIVE' });
    expect(persons['100114']).toBeUndefined();
    const stateOf = (id: string | undefined): string | undefined => payments.find((one) => one.id === id)?.state;
    expect([approved.id, rejected.id, own?.id].map(stateOf)).toEqual(['approved', 'rejected', 'submitted']);
    const open = payments.filter(({ state }) => state === 'submitted');
    expect(open.filter(inNewYear)).toHaveLength(1);
    expect(new Set(open.map((one) => one.billingPeriod))).toEqual(new Set(['2027-01', '2027-03']));

    const fresh = await feedDatabase(driver);
    await loadDemo(fresh.database, { until: now });
    const known = new Set(await rowsOf(db));
    expect((await rowsOf(fresh)).filter(isOfOthers).filter((row) => !known.has(row))).toEqual([]);
    const touched = new Set([approved.id, rejected.id, own?.id]);
    const paid = payments.filter(({ id }) => !touched.has(id)).map((one) => inShort(one));
    const untouched = [approved, rejected].map((one) => inShort(one).replace(/ \w+$/, ''));
    const begun = (await storedPayments(fresh.database)).map((one) => inShort(one));
    await fresh.remove();
    const comparable = begun.filter((one) => !untouched.some((start) => one.startsWith(start)));
    expect(comparable.filter(isOfOthers).toSorted()).toEqual(paid.filter(isOfOthers).toSorted());
  });
});
