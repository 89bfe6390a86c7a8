import type { Queries } from '../database/database.ts';

// Any number does, as long as every process of the service takes the same and nothing else takes it.
const IMPORT_LOCK = 4011;

/** Lets imports, and what must not happen during one, take turns until the transaction ends. */
export async function takeImportLock(transaction: Queries): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
}
