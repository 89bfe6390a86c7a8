import type { DatabaseSync } from 'node:sqlite';
import { bulk } from '../bulk.ts';
import type { HrClientEvent } from '../hr-client-event.ts';
import type { CallOptions } from '../hr-client-options.ts';
import type { Absence, AbsenceChange } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { DocumentStore } from './document-store.ts';
import { isMirrorError, MirrorError } from './mirror-error.ts';
import type { Source, Sync } from './sync.ts';

/** So many persons are stored together. */
const CHUNK = 50;
const PAGE = 500;
/** What a sync that did not end has read is used as long. */
const MAX_AGE_MS = 86_400_000;

interface PersonRow {
  readonly id: string;
  /** Whether a sync has read all absences of the person. */
  readonly isRead: 0 | 1;
}

/** The absences of a person. */
interface ReadAbsences {
  readonly id: string;
  /** Whether they are all of the person. */
  readonly isComplete: boolean;
  readonly absences: readonly (Absence | AbsenceChange)[];
}

/** Reads the absences of all persons. They wait in a temporary table, so that no transaction is open during the request. */
export async function readAllAbsences(source: Source): Promise<string | undefined> {
  const { database, hr, from, call, progress } = source;
  prepareTemporaryTable(database);
  const insert = database.prepare('INSERT INTO temp.read_absences VALUES (?, 0, ?)');
  const list = hr.time.allAbsences(from, call);
  let done = 0;
  for await (const absence of list) {
    insert.run(absence.personId, JSON.stringify([absence]));
    progress({ done: ++done });
  }
  return list.cursor;
}

/**
 * Reads the absences of each person of the mirror, from a service that lists them by person only. They wait as those of
 * {@link readAllAbsences}, and in the file, so that a sync goes on where one ended early.
 *
 * @param begin - Begins a transaction to keep them in the file. Undefined for a dry run.
 */
export async function readAbsences(
  source: Source,
  isFull: boolean,
  begin: (() => void) | undefined,
): Promise<undefined> {
  const { database, hr, from, call, progress } = source;
  prepareTemporaryTable(database);
  const { kept, startedAt } = database
    .prepare(
      `SELECT count(*) AS kept, min(started_at) AS startedAt FROM main.read_absences JOIN person ON id = person_id
      WHERE ${USABLE}`,
    )
    .get(Number(isFull), Date.now() - MAX_AGE_MS) as { kept: number; startedAt: number | null };
  database
    .prepare(
      `INSERT INTO temp.read_absences SELECT person_id, is_complete, absences
      FROM main.read_absences JOIN person ON id = person_id WHERE ${USABLE}`,
    )
    .run(Number(isFull), Date.now() - MAX_AGE_MS);
  source.began(startedAt ?? Infinity);
  const persons = Number(database.prepare('SELECT count(*) AS n FROM person').get()?.['n']);

  const insert = database.prepare('INSERT INTO temp.read_absences VALUES (?, ?, ?)');
  let unkept: ReadAbsences[] = [];
  let found = kept;
  let notFound: HrError | undefined;
  function keep(): void {
    if (!begin) return;
    try {
      begin();
    } catch (error) {
      // Another sync writes. They are in the temporary table.
      if (isMirrorError(error)) return;
      throw error;
    }
    const replace = database.prepare('INSERT OR REPLACE INTO main.read_absences VALUES (?, ?, ?, ?)');
    for (const { id, isComplete, absences } of unkept) {
      replace.run(id, Number(isComplete), JSON.stringify(absences), source.startedAt());
    }
    database.exec('COMMIT');
    unkept = [];
  }
  async function read({ id, isRead }: PersonRow, options: CallOptions): Promise<ReadAbsences | undefined> {
    // What changed does not include what a person had before this mirror knew the person.
    const query = isRead ? from : {};
    const onEvent = (event: HrClientEvent): void => [call, options].forEach((each) => each.onEvent?.(event));
    try {
      const absences = await hr.time.absences(id, query, { ...options, onEvent });
      return { id, isComplete: Object.keys(query).length === 0, absences };
    } catch (error) {
      // The person was deleted meanwhile. The next sync of persons deletes it here, too.
      if (!isHrError(error) || error.code !== 'not-found') throw error;
      notFound = error;
      return undefined;
    }
  }

  const options = { total: persons - kept, signal: call.signal, onProgress: progress };
  try {
    for await (const person of bulk(personRows(source), read, options)) {
      if (!person) continue;
      found++;
      insert.run(person.id, Number(person.isComplete), JSON.stringify(person.absences));
      if (unkept.push(person) >= CHUNK) keep();
    }
  } finally {
    keep();
  }
  // Without a problem it is an address that does not have this operation, rather than persons who are all gone.
  if (found === 0 && notFound && !notFound.problem) throw notFound;
}

/** Whether what an earlier sync has read serves this one: a full one needs all absences of the person, as a new person does. */
const USABLE = '(is_complete = 1 OR (absences_read = 1 AND ? = 0)) AND started_at > ?';

/** No other program can open the file of a temporary table. */
function prepareTemporaryTable(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS temp.read_absences;
    CREATE TEMP TABLE read_absences (person_id TEXT NOT NULL, is_complete INTEGER NOT NULL, absences TEXT NOT NULL)`);
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
  database.exec('DROP TABLE temp.read_absences; DELETE FROM main.read_absences');
}

/** The persons of the mirror that are not read yet. Page by page, because other statements write meanwhile. */
function* personRows({ database }: Source): Generator<PersonRow, void, undefined> {
  if (!database.prepare("SELECT name FROM collection WHERE name = 'persons'").get()) {
    throw new MirrorError(
      'no-persons',
      'sync: absences are read for each person of the mirror, and it has none. Sync persons first.',
    );
  }
  const page = database.prepare(
    `SELECT id, absences_read AS isRead FROM person
    WHERE id > ? AND id NOT IN (SELECT person_id FROM temp.read_absences) ORDER BY id LIMIT ${PAGE}`,
  );
  let last = '';
  for (;;) {
    const rows = page.all(last) as unknown as PersonRow[];
    yield* rows;
    if (rows.length < PAGE) return;
    last = (rows.at(-1) as PersonRow).id;
  }
}
