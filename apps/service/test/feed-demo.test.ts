import { createHash } from 'node:crypto';
import { Person } from '@hr/schemas';
import { company, personOf } from '@hr/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentsInState } from '../src/payroll/variable-payments.ts';
import { listPersons } from '../src/persons/persons.ts';
import { DEMO_COMPANY } from '../src/demo/demo-command.ts';
import { demoCompany, loadDemo } from '../src/demo/load-demo.ts';
import { anyDriver } from './drivers.ts';
import { listText } from './list-text.ts';
import { feedDatabase, inWords } from './feed.ts';
import type { FeedDatabase } from './feed.ts';

test('DEMO_COMPANY is the hash of the company, so that no folder keeps a former one', () => {
  const hash = createHash('sha256').update(JSON.stringify(demoCompany())).digest('hex');
  expect(DEMO_COMPANY).toBe(hash);
});

describe.each(anyDriver)('the demo on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
  });
  afterAll(() => db.remove());

  test('is a whole company with payments of each state, and the same when it is loaded again', async () => {
    const { badLines, lines, outcomes } = await loadDemo(db.database);
    expect(badLines).toBe(0);
    expect(outcomes.person).toMatchObject({ created: 300 });

    const members = [...company({ persons: 300 })];
    const persons = Object.values(await db.persons());
    expect(persons.map(({ id }) => id)).toEqual(members.map(({ person }) => person.id).toSorted());
    const names = members.flatMap(({ person }) => (person.customFields ?? []).map((field) => field.name));
    const shown = JSON.parse(await listText(db.database, listPersons({ customFields: names }))) as Person[];
    for (const member of members.slice(0, 20)) {
      const expected = personOf(member);
      expect(shown.find(({ id }) => id === expected.id)).toEqual(expected);
      expect(persons.find(({ id }) => id === expected.id)).toEqual({ ...expected, customFields: [] });
    }
    for (const person of persons) Person.parse(person);

    const payments = await listText(db.database, paymentsInState(undefined));
    const told = (JSON.parse(payments) as Record<string, unknown>[]).map(
      ({ payrollContractId, billingPeriod, compensationComponentId, state }) =>
        [payrollContractId, billingPeriod, compensationComponentId, state].join(' '),
    );
    expect(told).toEqual(
      members
        .flatMap((member) => member.payments)
        .map(({ payrollContractId, billingPeriod, compensationComponentId, state }) =>
          [payrollContractId, billingPeriod, compensationComponentId, state].join(' '),
        ),
    );
    expect(new Set(told.map((payment) => payment.split(' ').at(-1)))).toEqual(
      new Set(['submitted', 'approved', 'rejected']),
    );

    const again = await loadDemo(db.database);
    expect(again.lines).toBe(lines);
    for (const words of Object.values(inWords(again))) expect(words).toMatch(/^unchanged \d+$/);
    expect(await listText(db.database, paymentsInState(undefined))).toBe(payments);
  });
});
