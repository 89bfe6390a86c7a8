import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEventList } from '../src/audit/audit-event-list.ts';
import type { AuditEventFilter } from '../src/audit/audit-event-list.ts';
import type { Database } from '../src/database/database.ts';
import { pageStatement } from '../src/database/lists.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { anyDriver, emptyDatabase } from './drivers.ts';

const DAY_MS = 86_400_000;

describe.each(anyDriver)('a page of an audit of two years on %s', (driver) => {
  let database: Database;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const empty = await emptyDatabase(driver);
    ({ remove } = empty);
    database = await openDatabase(empty.url);
    await database.query(`
      select add_audit_months((now() + interval '2 years')::date);
      insert into audit_event (id, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
      select audit_event_id(now() + n * interval '2 years' / 30000), 'hr-' || n % 100, 'operation-' || n % 50, 'r-' || n, 'read',
        'p-' || n % 90, 'c-' || n % 90, 'o-' || n % 90, 1
      from generate_series(1, 30000) as n;
      analyze audit_event`);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  async function explain(filter: AuditEventFilter, after?: string): Promise<string> {
    const query = auditEventList(filter, 'Europe/Berlin');
    const plan = await database.query<Record<'QUERY PLAN', string>>(`explain ${pageStatement(query, after, 100)}`);
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  }

  async function partitionsRead(filter: AuditEventFilter, after?: string): Promise<Set<string>> {
    const plan = await explain(filter, after);
    return new Set(plan.match(/(?<=\baudit_event_)(?:\d{4}_\d\d|earlier|later)/g));
  }

  test.each<[filter: AuditEventFilter, index: string]>([
    [{}, 'pkey'],
    [{ personId: 'p-7' }, 'person_id_id_idx'],
    [{ payrollContractId: 'c-7' }, 'payroll_contract_id_id_idx'],
    [{ objectId: 'o-7' }, 'object_id_id_idx'],
    [{ actor: 'hr-7' }, 'actor_id_idx'],
    [{ operation: 'operation-7' }, 'operation_id_idx'],
  ])('of %j comes from one month after the other, by an index', async (filter, index) => {
    const plan = await explain(filter);
    const scans = plan.match(/Index Scan using \w+/g) ?? [];
    expect(scans.length).toBeGreaterThan(24);
    expect(scans.filter((scan) => !scan.endsWith(`_${index}`))).toEqual([]);
    // Each would read all partitions for a page. The statement itself sorts the page, by its column `key`.
    expect(plan).not.toMatch(/Merge Append|Sort Key: audit_event|Seq Scan/);
  });

  test('of the last events stops after them', async () => {
    const plan = await explain({ actor: 'hr-7', last: '10' });
    // Only what is left is sorted.
    expect(plan).toMatch(/Sort[^]+Limit[^]+Append[^]+Index Scan Backward using/);
    expect(plan).not.toMatch(/Seq Scan|Merge Append/);
  });

  test('of a request is found by an index', async () => {
    // Next to nothing is before and after the months.
    expect(await explain({ requestId: 'r-7' })).not.toMatch(/Seq Scan on audit_event_\d|_pkey/);
  });

  test('of a period, or after another page, reads its months alone', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const days = { since: `${year}-03-05`, until: `${year}-03-10` };
    expect(await partitionsRead(days)).toEqual(new Set([`${year}_03`]));
    expect(await partitionsRead({ ...days, requestId: 'r-7' })).toEqual(new Set([`${year}_03`]));
    expect((await partitionsRead({})).size).toBeGreaterThan(24);
    expect((await partitionsRead({}, uuidV7(Date.now() + 500 * DAY_MS))).size).toBeLessThan(12);
  });
});
