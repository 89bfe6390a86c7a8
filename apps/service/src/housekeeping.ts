import type { Logger } from 'pino';
import { chainEvents } from './audit/audit-chain.ts';
import { addAuditMonths } from './audit/audit-months.ts';
import { deleteExpiredAssertions } from './clients/client-assertions.ts';
import { deleteUnusedKeys } from './clients/credential-keys.ts';
import type { Config } from './config/config.ts';
import { describeError } from './config/create-log.ts';
import { pruneChanges } from './database/change-history.ts';
import type { Database } from './database/database.ts';
import { deleteExpiredKeys } from './payroll/submit-variable-payment.ts';

const HOUR_MS = 3_600_000;
const CHAIN_MS = 30_000;

type Settings = Pick<Config, 'historyDays' | 'timeZone'>;
/** Does a part of some work that takes a moment, and tells whether there is more. */
type DoPart = (database: Database, settings: Settings) => Promise<boolean>;

/** Work that no request waits for. */
const jobs: readonly (readonly [task: string, doPart: DoPart])[] = [
  ['add the partitions of coming months of the audit', addAuditMonths],
  ['delete expired assertions', deleteExpiredAssertions],
  ['delete expired idempotency keys', deleteExpiredKeys],
  ['delete unused credential keys', deleteUnusedKeys],
  ['drop old changes', (database, { historyDays, timeZone }) => pruneChanges(database, historyDays, timeZone)],
];

/**
 * Does the first part of each job now, the rest soon, and all again every hour, or sooner where it says so. A failure is
 * only logged.
 *
 * @param isIdle whether no requests come: then every hour is enough for all jobs
 * @returns a function that ends it
 */
export async function startHousekeeping(
  database: Database,
  settings: Settings,
  log: Logger,
  isIdle = () => false,
): Promise<() => Promise<void>> {
  let hasEnded = false;

  /** Does a part of each job, one after the other, and gives those of which there is more. */
  async function doParts(due: typeof jobs): Promise<typeof jobs> {
    const unfinished: (typeof jobs)[number][] = [];
    for (const [task, doPart] of due) {
      if (hasEnded) return [];
      try {
        // oxlint-disable-next-line no-await-in-loop -- one connection is enough
        if (await doPart(database, settings)) unfinished.push([task, doPart]);
      } catch (error) {
        log.warn({ task, error: describeError(error as Error) }, 'A job cannot be done now.');
      }
    }
    return unfinished;
  }
  async function finish(due: typeof jobs): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- each part after the one before
    for (let left = due; left.length > 0;) left = await doParts(left);
  }

  const chaining: typeof jobs = [['add blocks to the chain of the audit', chainEvents]];
  let running = finish([...(await doParts(jobs)), ...chaining]);
  const repeat = (due: typeof jobs, everyMs: number, isSkipped = () => false): NodeJS.Timeout =>
    setInterval(() => {
      if (isSkipped()) return;
      running = running.then(() => finish(due));
    }, everyMs).unref();
  const timers = [repeat([...jobs, ...chaining], HOUR_MS), repeat(chaining, CHAIN_MS, isIdle)];
  return () => {
    hasEnded = true;
    for (const timer of timers) clearInterval(timer);
    return running;
  };
}
