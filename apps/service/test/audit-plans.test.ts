import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEventList } from '../src/audit/audit-handlers.ts';
import type { Database } from '../src/database/database.ts';
import { pageOf, pageStatement } from '../src/database/list.ts';
import { literal } from '../src/database/sql.ts';
import type { AuditEventFilter } from '../src/audit/audit-operations.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { anyDriver } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const DAY_MS = 86_400_000;
const PAGE = 100;
const EVENTS_OF_MONTH = 1200;

type Filter = AuditEventFilter & { readonly last?: string };

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A partition in a plan, and how many of its rows were read; `undefined` if its turn never came. */
type Read = readonly [partition: string, rows: number | undefined];

// Every month has as many events, whatever the day. What is judged is what was read: the text of a plan changes with the statistics.
describe.each(anyDriver)('a page of an audit of two years on %s', (driver) => {
  let database: Database;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    ({ database, remove } = await ownDatabase(driver));
    await database.query(`
      select add_audit_months((now() + interval '2 years')::date);
      insert into audit_event (id, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
      select audit_event_id((month + n * (month + interval '1 month' - month) / ${EVENTS_OF_MONTH}) at time zone 'UTC'),
        'hr-' || n % 100, 'operation-' || n % 50, 'r-' || month || '-' || n, 'read',
        'p-' || n % 90, 'c-' || n % 90, 'o-' || n % 90, 1
      from (select month::timestamp from audit_month) as months, generate_series(0, ${EVENTS_OF_MONTH - 1}) as n;
      analyze audit_event`);
  });
  afterAll(() => remove());

  /** Reads a page. */
  async function reads({ last, ...filter }: Filter, after?: string): Promise<Read[]> {
    const events = auditEventList(filter, 'Europe/Berlin');
    const statement = last === undefined ? pageStatement(events, after, PAGE) : literal(pageOf(events, { last }));
    const [row] = await database.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${statement}`,
    );
    return row ? readsOf(row['QUERY PLAN'][0].Plan) : [];
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
    const rows = Number(filter.last ?? PAGE);
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

function readsOf(node: PlanNode): Read[] {
  const { 'Relation Name': partition, 'Actual Rows': rows, 'Actual Loops': loops, Plans: inner = [] } = node;
  const read = loops === 0 ? undefined : loops * (rows + (node['Rows Removed by Filter'] ?? 0));
  return [...(partition === undefined ? [] : [[partition, read] as const]), ...inner.flatMap(readsOf)];
}

function rowsOf(found: readonly Read[]): number {
  return found.reduce((sum, [, rows = 0]) => sum + rows, 0);
}

function monthsOf(found: readonly Read[]): Set<string> {
  return new Set(found.flatMap(([partition]) => partition.match(/\d{4}_\d\d/) ?? []));
}
