import { beforeAll, describe, expect, test } from 'vitest';
import { auditEventList } from '../src/audit/audit-handlers.ts';
import type { AuditEventFilter } from '../src/audit/audit-operations.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { changesSince } from '../src/database/change-sets.ts';
import type { Database } from '../src/database/database.ts';
import { pageOf, pageStatement, type List } from '../src/database/list.ts';
import { literal } from '../src/database/sql.ts';
import { paymentList } from '../src/payroll/payment-handlers.ts';
import { personList } from '../src/persons/person-list.ts';
import { timeBookings } from '../src/time/time-bookings.ts';
import { anyDriver } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const PERSONS = 20_000;
const ROWS = 100;
const timeZone = 'UTC';
const KEYS = 200;
const numbers = Array.from({ length: KEYS }, (_, index) => 1 + index * 97);
const keys = numbers.map((number) => `k-${number}`).join(',');
const contracts = numbers.map((number) => `p-${String(number).padStart(6, '0')}`).join(',');
const DAY_MS = 86_400_000;
const EVENTS_OF_MONTH = 1200;

/** A step of PostgreSQL's plan of a statement, after it ran. */
interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Runs a statement, and gives its plan. */
async function planOf(database: Database, statement: string): Promise<Plan> {
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
    `explain (analyze, timing off, format json) ${statement}`,
  );
  return row?.['QUERY PLAN'][0].Plan as Plan;
}

/** How many rows a step has looked at. */
function rowsRead({ 'Actual Rows': rows, 'Actual Loops': loops, ...plan }: Plan): number {
  return loops * (rows + (plan['Rows Removed by Filter'] ?? 0));
}

/** The most rows that any step of a plan has looked at. */
function mostRows(plan: Plan): number {
  return Math.max(rowsRead(plan), ...(plan.Plans ?? []).map(mostRows));
}

describe('the lists of PostgreSQL', () => {
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
          idempotency_key, state, decided_by, decided_at)
        select id_of(n), '2026-06', '2026-06', 'x', 'x', 'k-' || n, case when n % 2 = 0 then 'submitted' else 'approved' end,
          case when n % 2 = 0 then null else 'x' end, case when n % 2 = 0 then null else now() end
        from generate_series(1, ${PERSONS}) as n`);
    await database.query('vacuum analyze');
    return own.remove;
  });

  const rowsLookedAt = async (query: List, after: string): Promise<number> =>
    mostRows(await planOf(database, pageStatement(query, after, ROWS)));

  const middle = 'p-010000';
  const all = { first: '1', except: [] };
  const few = { first: '2', except: [] };
  const none = { first: '3', except: [] };

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
    ['payments of a client', paymentList({ submittedBy: 'x', state: 'approved,submitted' }, timeZone), '10000'],
  ])('a page of %s looks at little more than it gives', async (_, query, after) => {
    // A person has up to five days.
    expect(await rowsLookedAt(query, after)).toBeLessThanOrEqual(5 * ROWS);
  });

  test.each<[what: string, query: List, rows: number]>([
    ['persons of whom few changed', personList(anything, few), PERSONS / 100],
    ['persons of whom few changed some fields', personList(someFields, few), PERSONS / 100],
    ['persons without changes', personList(anything, none), 0],
    ['time bookings of which none changed', timeBookings({}, few), 0],
    ['payments with some keys', paymentList({ idempotencyKey: keys }, timeZone), KEYS],
    [
      'payments with some keys in a state',
      paymentList({ idempotencyKey: keys, state: 'approved' }, timeZone),
      KEYS / 2,
    ],
    ['payments of some contracts', paymentList({ payrollContractId: contracts }, timeZone), KEYS],
  ])('a page of %s looks at those alone', async (_, query, rows) => {
    // Erased persons are in a table of their own.
    expect(await rowsLookedAt(query, '0')).toBeLessThanOrEqual(rows > 0 ? rows + ROWS : 0);
  });

  test('change sets since a date are found by their dates', async () => {
    expect(await changesSince(database, '2026-01-01', timeZone)).toEqual(all);
    expect(await changesSince(database, '2027-01-01', timeZone)).toEqual(few);
    expect((await changesSince(database, '2030-01-01', timeZone)).except).toEqual([]);
  });
});

type Filter = AuditEventFilter & { readonly last?: string };

/** A partition in a plan, and how many of its rows were read; `undefined` if its turn never came. */
type Read = readonly [partition: string, rows: number | undefined];

// Every month has as many events, whatever the day. What is judged is what was read: the text of a plan changes with the statistics.
describe.each(anyDriver)('a page of an audit of two years on %s', (driver) => {
  let database: Database;

  beforeAll(async () => {
    const own = await ownDatabase(driver);
    ({ database } = own);
    await database.query(`
      select add_audit_months((now() + interval '2 years')::date);
      insert into audit_event (id, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
      select audit_event_id((month + n * (month + interval '1 month' - month) / ${EVENTS_OF_MONTH}) at time zone 'UTC'),
        'hr-' || n % 100, 'operation-' || n % 50, 'r-' || month || '-' || n, 'read',
        'p-' || n % 90, 'c-' || n % 90, 'o-' || n % 90, 1
      from (select month::timestamp from audit_month) as months, generate_series(0, ${EVENTS_OF_MONTH - 1}) as n;
      analyze audit_event`);
    return own.remove;
  });

  /** Reads a page. */
  async function reads({ last, ...filter }: Filter, after?: string): Promise<Read[]> {
    const events = auditEventList(filter, 'Europe/Berlin');
    const statement = last === undefined ? pageStatement(events, after, ROWS) : literal(pageOf(events, { last }));
    return readsOf(await planOf(database, statement));
  }

  test.each<[filter: Filter, eventsOfMonth: number]>([
    [{}, EVENTS_OF_MONTH],
    [{ personId: 'p-7' }, EVENTS_OF_MONTH / 90],
    [{ payrollContractId: 'c-7' }, EVENTS_OF_MONTH / 90],
    [{ objectId: 'o-7' }, EVENTS_OF_MONTH / 90],
    [{ actor: 'hr-7' }, EVENTS_OF_MONTH / 100],
    [{ operation: 'operation-7' }, EVENTS_OF_MONTH / 50],
    [{ actor: 'hr-7', last: '10' }, EVENTS_OF_MONTH / 100],
  ])('of %j comes from one month after the other, and no more is read', async (filter, eventsOfMonth) => {
    const rows = Number(filter.last ?? ROWS);
    const found = await reads(filter);
    expect(monthsOf(found).size).toBe(25);
    expect(rowsOf(found)).toBeGreaterThanOrEqual(rows);
    expect(rowsOf(found)).toBeLessThanOrEqual(rows + Math.min(rows, eventsOfMonth));
    const begun = monthsOf(found.filter(([, read]) => read !== undefined));
    expect(begun.size).toBeLessThanOrEqual(Math.ceil(rows / Math.floor(eventsOfMonth)) + 1);
  });

  test('of a request is its event alone', async () => {
    const [{ requestId } = { requestId: '' }] = await database.query<{ requestId: string }>(
      'select request_id as "requestId" from audit_event offset 7 limit 1',
    );
    expect(rowsOf(await reads({ requestId }))).toBe(1);
  });

  test('of a period, or after another page, reads its months alone', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const days = { since: `${year}-03-05`, until: `${year}-03-10` };
    expect(monthsOf(await reads(days))).toEqual(new Set([`${year}_03`]));
    expect(monthsOf(await reads({ ...days, requestId: 'r-7' }))).toEqual(new Set([`${year}_03`]));
    expect(monthsOf(await reads({}, uuidV7(Date.now() + 500 * DAY_MS))).size).toBeLessThan(12);
  });
});

function readsOf(plan: Plan): Read[] {
  const { 'Relation Name': partition, 'Actual Loops': loops, Plans: inner = [] } = plan;
  const read = loops === 0 ? undefined : rowsRead(plan);
  return [...(partition === undefined ? [] : [[partition, read] as const]), ...inner.flatMap(readsOf)];
}

function rowsOf(found: readonly Read[]): number {
  return found.reduce((sum, [, rows = 0]) => sum + rows, 0);
}

function monthsOf(found: readonly Read[]): Set<string> {
  return new Set(found.flatMap(([partition]) => partition.match(/\d{4}_\d\d/) ?? []));
}
