import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { describeError } from '../create-log.ts';
import { recordEvents } from './audit-events.ts';
import type { Database } from '../database/database.ts';

const DAY_MS = 86_400_000;

/**
 * Adds the partitions of the audit's next three months, now and every day. A failure is only logged: there are three
 * months of days to try again, and an event whose month has no partition is stored all the same.
 *
 * @returns a function that ends it
 */
export async function keepAuditMonths(database: Database, log: Logger): Promise<() => void> {
  async function addMonths(): Promise<void> {
    try {
      await database.query('select add_coming_audit_months()');
    } catch (error) {
      const described = describeError(error as Error);
      log.warn({ error: described }, 'The partitions of coming months of the audit cannot be added now.');
    }
  }
  const timer = setInterval(() => void addMonths(), DAY_MS).unref();
  await addMonths();
  return () => clearInterval(timer);
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
      const origin = { actor: 'command line', operation: 'pruneAudit', requestId: randomUUID() };
      if (elements > 0) await recordEvents(transaction, [{ ...origin, access: 'change', elements }]);
      return elements;
    },
    { long: true },
  );
}
