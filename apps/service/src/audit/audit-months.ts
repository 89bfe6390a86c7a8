import { randomUUID } from 'node:crypto';
import { PRUNE_AUDIT, recordEvents } from './audit-events.ts';
import type { Database } from '../database/database.ts';

/**
 * Adds the partitions of the audit's next three months. There are three months to try again, and an event whose month has
 * no partition is stored all the same.
 */
export async function addAuditMonths(database: Database): Promise<false> {
  await database.query('select add_coming_audit_months()');
  return false;
}

/** How many events {@link pruneAudit} would drop. */
export function countPrunable(database: Database, month: string): Promise<number> {
  return database.transaction(
    async (transaction) => {
      const [row] = await transaction.query<{ events: string }>(
        `select count(*) as events from audit_event
        where id < audit_event_id($1::date::timestamp at time zone 'UTC')
          and exists (select from audit_month where month = $1::date)`,
        [`${month}-01`],
      );
      return Number(row?.events);
    },
    { long: true },
  );
}

/**
 * Drops the events before a month for good, and writes to the audit how many. Only the owner of the tables may.
 *
 * @param month such as `2026-01`, which begins at 00:00 UTC; one without a partition drops nothing
 * @returns how many
 */
export function pruneAudit(database: Database, month: string): Promise<number> {
  return database.transaction(
    async (transaction) => {
      const [row] = await transaction.query<{ events: string }>('select prune_audit($1) as events', [`${month}-01`]);
      const elements = Number(row?.events);
      const origin = { actor: 'command line', operation: PRUNE_AUDIT, objectId: month, requestId: randomUUID() };
      if (elements > 0) await recordEvents(transaction, [{ ...origin, access: 'change', elements }]);
      return elements;
    },
    { long: true },
  );
}
