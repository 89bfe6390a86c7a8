import { DatabaseUnavailableError } from './database-errors.ts';
import type { Database } from './database.ts';

/**
 * Makes the check whether the disk of a database is full. Reads succeed on a full disk, so it writes, but only after a
 * write has failed.
 */
export function createDiskCheck() {
  let wasFull = false;
  return {
    /** Notes it when an attempt fails for that. */
    async watch<Result>(attempt: Promise<Result>): Promise<Result> {
      try {
        return await attempt;
      } catch (error) {
        wasFull ||= error instanceof DatabaseUnavailableError && error.reason === 'full';
        throw error;
      }
    },
    /** @throws {DatabaseUnavailableError} as {@link Database.check}. */
    async check(database: Database): Promise<void> {
      await database.query('select 1');
      if (!wasFull) return;
      try {
        await database.transaction(async (transaction) => {
          await transaction.query(WRITE_A_MEGABYTE);
          throw new TypeError('It is taken back.');
        });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      wasFull = false;
    },
  };
}

const WRITE_A_MEGABYTE = `create temporary table disk_check on commit drop as
  select repeat('x', 1000) from generate_series(1, 1000)`;
