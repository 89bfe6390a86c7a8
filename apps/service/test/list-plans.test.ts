import { beforeAll, expect, test } from 'vitest';
import { auditEventList } from '../src/audit/audit-handlers.ts';
import { changesSince } from '../src/database/change-sets.ts';
import type { Database } from '../src/database/database.ts';
import { pageStatement, type List } from '../src/database/list.ts';
import { paymentList } from '../src/payroll/payment-handlers.ts';
import { personList } from '../src/persons/person-list.ts';
import { timeBookings } from '../src/time/time-bookings.ts';
import { ownDatabase } from './own-database.ts';

const PERSONS = 20_000;
const ROWS = 200;
const timeZone = 'UTC';

let database: Database;

beforeAll(async () => {
  const own = await ownDatabase('postgres');
  ({ database } = own);
  // Every hundredth person changed in 2027, the others in 2026; a tenth as many were erased.
  await database.query(`
    create function id_of(n int) returns text language sql immutable as $$ select 'p-' || lpad(n::text, 6, '0') $$;
    insert into change_set (id, changed_at) overriding system value values (1, '2026-06-01'), (2, '2027-06-01');
    insert into person_view (person_id, head, master, master_absent, master_change, payroll, payroll_absent,
        payroll_change, time, time_absent, time_change, custom_names, custom_json, custom_change, first_change)
      select id_of(n), '{"id":"' || id_of(n) || '"', ',"lastName":"' || repeat('m', 500) || '"', '', change, '', '', change, '', '', change,
        '{}', '{}', change, change
      from generate_series(1, ${PERSONS}) as n, lateral (select case when n % 100 = 0 then 2 else 1 end) as change_set (change);
    insert into gone_person (person_id, change, is_erased) select id_of(n) || '-gone', 1, true from generate_series(1, ${PERSONS}, 10) as n;
    insert into time_account (person_id, change) select id_of(n), 1 from generate_series(1, ${PERSONS}) as n;
    insert into time_day (person_id, date, day, change)
      select id_of(n), '2026-06-0' || day, '{}', 1 from generate_series(1, ${PERSONS}) as n, generate_series(1, 5) as day;
    insert into variable_payment (payroll_contract_id, billing_period, correction_period, compensation_component_id, submitted_by,
        state, decided_by, decided_at)
      select id_of(n), '2026-06', '2026-06', 'x', 'x', case when n % 2 = 0 then 'submitted' else 'approved' end,
        case when n % 2 = 0 then null else 'x' end, case when n % 2 = 0 then null else now() end
      from generate_series(1, ${PERSONS}) as n;
    insert into audit_event (id, actor, operation, request_id, access, elements)
      select audit_event_id('2026-06-01'::timestamptz + n * interval '1 s'), 'client-' || n % 2, 'listPersons', 'x', 'read', 1 from generate_series(1, ${PERSONS}) as n`);
  await database.query('vacuum analyze');
  return own.remove;
});

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The most rows that any step of a plan has looked at. */
function mostRows(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return Math.max(own, ...(plan.Plans ?? []).map(mostRows));
}

async function rowsLookedAt(query: List, after: string): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${pageStatement(query, after, ROWS)}`,
  );
  return mostRows(row?.['QUERY PLAN'][0].Plan as Plan);
}

const middle = 'p-010000';
const all = { first: '1', except: [] };
const few = { first: '2', except: [] };
const none = { first: '3', except: [] };
const firstEvent = '0'.repeat(32);

const anything = { customFields: [] };
const someFields = { fields: ['id', 'lastName', 'customFields'], customFields: ['shoeSize', 'hatSize'] };

test.each<[what: string, query: List, after: string]>([
  ['persons', personList(anything), middle],
  ['persons with custom fields', personList({ customFields: ['shoeSize'] }), middle],
  ['changed persons', personList(anything, all), middle],
  ['persons with some fields', personList(someFields), middle],
  ['changed persons with some fields', personList(someFields, all), middle],
  ['time bookings', timeBookings({}), middle],
  ['time bookings of a period', timeBookings({ from: '2026-06-02', to: '2026-06-04' }), middle],
  ['changed time bookings', timeBookings({}, all), middle],
  ['payments', paymentList({}, timeZone), '10000'],
  ['payments in a state', paymentList({ state: 'submitted' }, timeZone), '10000'],
  ['payments of a billing period', paymentList({ billingPeriod: '2026-06' }, timeZone), '10000'],
  [
    'payments of a client in some states',
    paymentList({ submittedBy: 'x', state: 'approved,submitted' }, timeZone),
    '10000',
  ],
  ['events', auditEventList({}, timeZone), firstEvent],
  ['events of an actor', auditEventList({ actor: 'client-1' }, timeZone), firstEvent],
])('a page of %s looks at little more than it gives', async (_, query, after) => {
  // A person has up to five days.
  expect(await rowsLookedAt(query, after)).toBeLessThanOrEqual(5 * ROWS);
});

test.each<[what: string, query: List, rows: number]>([
  ['persons of whom few changed', personList(anything, few), PERSONS / 100],
  ['persons of whom few changed some fields', personList(someFields, few), PERSONS / 100],
  ['persons without changes', personList(anything, none), 0],
  ['time bookings of which none changed', timeBookings({}, few), 0],
])('a page of %s looks at those alone', async (_, query, rows) => {
  // Erased persons are in a table of their own.
  expect(await rowsLookedAt(query, '')).toBeLessThanOrEqual(rows > 0 ? rows + ROWS : 0);
});

test('change sets since a date are found by their dates', async () => {
  expect(await changesSince(database, '2026-01-01', timeZone)).toEqual(all);
  expect(await changesSince(database, '2027-01-01', timeZone)).toEqual(few);
  expect((await changesSince(database, '2030-01-01', timeZone)).except).toEqual([]);
});
