import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Absence, AbsenceChange } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { DocumentStore } from './document-store.ts';
import { MirrorError } from './mirror-error.ts';
import type { Source, Sync } from './sync.ts';

const CONCURRENCY = 8;
const PAGE = 500;

interface PersonRow {
  readonly id: string;
  /** Whether a sync has read all absences of the person. */
  readonly isRead: 0 | 1;
}

/**
 * Reads the absences of all persons. They wait in a temporary table, whose file no other program can open, so that no
 * transaction is open during the request.
 */
export async function readAllAbsences({ database, hr, from, call, progress }: Source): Promise<string | undefined> {
  const keep = keptAbsences(database);
  const list = hr.time.allAbsences(from, call);
  for await (const absence of list) {
    keep.run(absence.personId, 0, JSON.stringify([absence]));
    progress();
  }
  return list.cursor;
}

/**
 * Reads the absences of each person of the mirror, from a service that lists them by person only. They wait
 * as those of {@link readAllAbsences}.
 */
export async function readAbsences(source: Source): Promise<undefined> {
  const { database, hr, from, call } = source;
  const persons = personRows(source);
  const keep = keptAbsences(database);
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(call.signal ? [call.signal] : [])]);
  let found = 0;
  let notFound: HrError | undefined;

  async function readPerson({ id, isRead }: PersonRow): Promise<void> {
    // What changed does not include what a person had before this mirror knew the person.
    const query = isRead ? from : {};
    try {
      const absences = await hr.time.absences(id, query, { ...call, signal });
      found++;
      if (failed.signal.aborted) return;
      keep.run(id, isRead ? 0 : 1, JSON.stringify(absences));
    } catch (error) {
      // The person was deleted meanwhile. The next sync of persons deletes it here, too.
      if (!isHrError(error) || error.code !== 'not-found') throw error;
      notFound = error;
    }
    source.progress();
  }
  async function work(): Promise<void> {
    try {
      // Each worker takes the next person.
      // oxlint-disable-next-line no-await-in-loop -- a worker has one request at a time
      for (let next = persons.next(); !next.done; next = persons.next()) await readPerson(next.value);
    } catch (error) {
      failed.abort(error);
    }
  }

  // The table must not go before the last worker has ended.
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  failed.signal.throwIfAborted();
  // Without a problem it is an address that does not have this operation, rather than persons who are all gone.
  if (found === 0 && notFound && !notFound.problem) throw notFound;
}

/** Where absences wait: whose they are, whether they are all of the person, and the absences. */
function keptAbsences(database: DatabaseSync): StatementSync {
  database.exec(`DROP TABLE IF EXISTS temp.read_absences;
    CREATE TEMP TABLE read_absences (person_id TEXT NOT NULL, is_complete INTEGER NOT NULL, absences TEXT NOT NULL)`);
  return database.prepare('INSERT INTO temp.read_absences VALUES (?, ?, ?)');
}

/** Stores the absences that were read. If they were read by person, a person may be gone meanwhile. */
export function storeAbsences(sync: Sync, byPerson: boolean): void {
  const { database } = sync;
  const store = new DocumentStore(sync, {
    find: 'SELECT key, document FROM absence WHERE person_id = ? AND id = ?',
    insert: 'INSERT INTO absence (document, person_id, id) VALUES (?, ?, ?)',
    update: 'UPDATE absence SET document = ? WHERE key = ?',
    delete: 'DELETE FROM absence WHERE key = ?',
  });
  const setRead = database.prepare('UPDATE person SET absences_read = 1 WHERE id = ?');
  const isStored = byPerson ? 'person_id IN (SELECT id FROM person)' : 'true';
  const rows = database.prepare(`SELECT * FROM temp.read_absences WHERE ${isStored}`);
  for (const row of rows.iterate()) {
    const id = String(row['person_id']);
    for (const absence of JSON.parse(String(row['absences'])) as (Absence | AbsenceChange)[]) {
      store.store(id, absence.id, absence.id, absence);
    }
    if (row['is_complete'] === 1) setRead.run(id);
  }
  database.exec('DROP TABLE temp.read_absences');
}

/** The persons of the mirror. Page by page, because other statements write meanwhile. */
function* personRows({ database }: Source): Generator<PersonRow, void, undefined> {
  if (!database.prepare("SELECT name FROM collection WHERE name = 'persons'").get()) {
    throw new MirrorError(
      'no-persons',
      'sync: absences are read for each person of the mirror, and it has none. Sync persons first.',
    );
  }
  const page = database.prepare(
    `SELECT id, absences_read AS isRead FROM person WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  let last = '';
  for (;;) {
    const rows = page.all(last) as unknown as PersonRow[];
    yield* rows;
    if (rows.length < PAGE) return;
    last = (rows.at(-1) as PersonRow).id;
  }
}
