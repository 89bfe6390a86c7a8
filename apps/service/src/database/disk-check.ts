import { DatabaseUnavailableError } from './database-errors.ts';
import type { Database } from './database.ts';

/** Finds out whether the disk of the database is full. */
interface DiskCheck {
  /** Notes it when an attempt fails for that. */
  watch<Result>(attempt: Promise<Result>): Promise<Result>;
  /** @throws {DatabaseUnavailableError} as {@link Database.check}. */
  check(database: Database): Promise<void>;
}

/** Makes the check of one database. Reads succeed on a full disk, so it writes, but only after a write has failed. */
export function createDiskCheck(): DiskCheck {
  let wasFull = false;
  return {
    async watch(attempt) {
      try {
        return await attempt;
      } catch (error) {
        wasFull ||= isFull(error);
        throw error;
      }
    },
    async check(database) {
      await database.query('select 1');
      if (!wasFull) return;
      try {
        await database.transaction(async (transaction) => {
          await transaction.query(WRITE_A_MEGABYTE);
          throw new TakenBack();
        });
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
      }
      wasFull = false;
    },
  };
}

const WRITE_A_MEGABYTE = `create temporary table disk_check on commit drop as
  select repeat('x', 1000) from generate_series(1, 1000)`;

class TakenBack extends TypeError {}

function isFull(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.reason === 'full';
}
