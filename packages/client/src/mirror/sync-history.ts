import type { DatabaseSync } from 'node:sqlite';
import type { Collection, CollectionStatus, SyncRun } from './mirror.ts';

const MAX_RUNS = 1000;

/** Clocks are corrected by less. */
const MAX_CLOCK_STEP_MS = 3_600_000;

/** @param now - A cursor of a later sync is ignored: its clock was wrong, so it may be later than unread changes. */
export function storedCursor(database: DatabaseSync, collection: Collection, now: number): string | undefined {
  const row = database
    .prepare("SELECT cursor FROM collection WHERE name = ? AND synced_at <= ? AND cursor <> ''")
    .get(collection, now + MAX_CLOCK_STEP_MS);
  return row && String(row['cursor']);
}

/** The cursor of the service at which the last sync ended; undefined if the service has none. */
export function storedPosition(database: DatabaseSync, collection: Collection): string | undefined {
  const row = database.prepare('SELECT position FROM collection WHERE name = ?').get(collection);
  return (row?.['position'] as string | null) ?? undefined;
}

/**
 * Has the next sync of each collection read everything. After a restore of the service, persons may be back whose days and
 * absences went with them, and the cursors of those may be older than what was lost.
 */
export function forgetCursors(database: DatabaseSync): void {
  database.exec("UPDATE collection SET cursor = '', position = NULL");
}

/** The clock of the service has whole seconds. Syncs of the same second differ nevertheless. */
const SYNCED_AT = 'iif(synced_at BETWEEN ?3 AND ?3 + 999, synced_at + 1, ?3)';

export function storeCursor(
  database: DatabaseSync,
  collection: Collection,
  {
    cursor,
    position,
    startedAt,
    isFull,
  }: {
    readonly cursor: string;
    readonly position: string | undefined;
    readonly startedAt: number;
    readonly isFull: boolean;
  },
): void {
  database
    .prepare(
      `INSERT INTO collection (name, cursor, synced_at, full_synced_at, position) VALUES (?1, ?2, ?3, ?3, ?5)
      ON CONFLICT (name) DO UPDATE
        SET cursor = ?2, synced_at = ${SYNCED_AT}, full_synced_at = iif(?4, ${SYNCED_AT}, full_synced_at), position = ?5`,
    )
    .run(collection, cursor, startedAt, Number(isFull), position ?? null);
}

export function storeRun(database: DatabaseSync, run: SyncRun): void {
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO run (collection, is_full, started_at, duration_ms, added, changed, unchanged, deleted, erased, error)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      run.collection,
      Number(run.full),
      Date.parse(run.startedAt),
      run.durationMs,
      run.added,
      run.changed,
      run.unchanged,
      run.deleted,
      run.erased,
      run.error ?? null,
    );
  database.prepare('DELETE FROM run WHERE key <= ?').run(Number(lastInsertRowid) - MAX_RUNS);
}

export function readStatus(database: DatabaseSync): CollectionStatus[] {
  const rows = database
    .prepare(
      `SELECT c.column1 AS collection, c.column2 AS rows,
        iif(position IS NULL, nullif(cursor, ''), NULL) AS cursor, synced_at AS syncedAt, full_synced_at AS fullSyncedAt
      FROM (VALUES ('persons', (SELECT count(*) FROM person)), ('bookings', (SELECT count(*) FROM booking)),
        ('absences', (SELECT count(*) FROM absence))) AS c LEFT JOIN collection ON name = c.column1`,
    )
    .all() as {
    collection: Collection;
    rows: number;
    cursor: string | null;
    syncedAt: number | null;
    fullSyncedAt: number | null;
  }[];
  return rows.map(({ collection, rows: count, cursor, syncedAt, fullSyncedAt }) => ({
    collection,
    rows: count,
    cursor: cursor ?? undefined,
    syncedAt: instant(syncedAt),
    fullSyncedAt: instant(fullSyncedAt),
  }));
}

export function readRuns(database: DatabaseSync, limit: number): SyncRun[] {
  const rows = database
    .prepare(
      `SELECT collection, is_full AS "full", started_at AS startedAt, duration_ms AS durationMs,
        added, changed, unchanged, deleted, erased, error
      FROM run ORDER BY key DESC LIMIT ?`,
    )
    .all(limit) as unknown as (Omit<SyncRun, 'full' | 'startedAt' | 'error'> & {
    full: 0 | 1;
    startedAt: number;
    error: string | null;
  })[];
  return rows.map(({ full, startedAt, error, ...run }) => ({
    ...run,
    full: full === 1,
    startedAt: new Date(startedAt).toISOString(),
    error: error ?? undefined,
  }));
}

function instant(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString();
}
