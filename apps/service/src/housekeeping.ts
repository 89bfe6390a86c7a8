import type { Logger } from 'pino';
import { addAuditMonths } from './audit/audit-months.ts';
import { deleteUnusedKeys } from './clients/credential-keys.ts';
import { describeError } from './create-log.ts';
import type { Database } from './database/database.ts';
import { deleteExpiredKeys } from './payroll/submit-variable-payment.ts';

/** Work that no request waits for. */
interface Job {
  /** What it does, for the log. */
  readonly task: string;
  /** Does a part of it that takes a moment, and tells whether there is more. Other processes do the same. */
  readonly doPart: (database: Database) => Promise<boolean>;
}

const jobs: readonly Job[] = [
  { task: 'add the partitions of coming months of the audit', doPart: addAuditMonths },
  { task: 'delete expired idempotency keys', doPart: deleteExpiredKeys },
  { task: 'delete unused credential keys', doPart: deleteUnusedKeys },
];

const HOUR_MS = 3_600_000;

/**
 * Does the first part of each job now, the rest soon, and all again every hour. A failure is only logged.
 *
 * @returns a function that ends it
 */
export async function startHousekeeping(database: Database, log: Logger): Promise<() => Promise<void>> {
  let hasEnded = false;

  /** Does a part of each job, one after the other, and gives those of which there is more. */
  async function doParts(due: readonly Job[]): Promise<Job[]> {
    const unfinished: Job[] = [];
    for (const job of due) {
      if (hasEnded) break;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one connection is enough
        if (await job.doPart(database)) unfinished.push(job);
      } catch (error) {
        log.warn({ task: job.task, error: describeError(error as Error) }, 'A job cannot be done now.');
      }
    }
    return unfinished;
  }

  async function finish(due: readonly Job[]): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- each part after the one before
    for (let left = due; left.length > 0;) left = await doParts(left);
  }

  let running = finish(await doParts(jobs));
  const timer = setInterval(() => {
    running = running.then(() => finish(jobs));
  }, HOUR_MS).unref();
  return async () => {
    hasEnded = true;
    clearInterval(timer);
    await running;
  };
}
