import type { Mirror, MirrorOptions } from './mirror.ts';
import { mirrorKind, openMirrorDatabase, truncateLog, type MirrorDatabase } from './mirror-database.ts';
import { MirrorError } from './mirror-error.ts';
import { follow } from './follow.ts';
import { withStorageErrors } from './private-database.ts';
import { countPersons, readAbsences, readBookings, readPerson, readPersons } from './queries.ts';
import { readChanges } from './read-changes.ts';
import { readRuns, readStatus } from './sync-history.ts';
import { syncCollection } from './sync.ts';

const DEFAULT_RUNS = 20;

/**
 * Opens a mirror, and creates its file if there is none.
 *
 * @throws {MirrorError} If the file cannot be used.
 * @example
 * ```ts
 * using mirror = openMirror({ file: 'hr.db', source: 'https://hr.example.com payroll-batch' });
 * await mirror.sync(hr, 'persons');
 * for (const person of mirror.persons({ name: 'mueller' })) console.log(person.id);
 * ```
 */
export function openMirror({ file, source }: MirrorOptions): Mirror {
  for (const [name, value] of Object.entries({ file, source })) {
    if (typeof value !== 'string' || value === '') {
      throw new MirrorError('invalid-option', `openMirror: ${name} must be a string that is not empty.`);
    }
  }
  const opened = openMirrorDatabase(file, source);
  const { reader } = opened;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) reader.close();
    isOpen = false;
  };
  const operations: Mirror = {
    sync: (hr, collection, options = {}) => syncCollection(opened, hr, collection, options),
    follow: (hr, options = {}) =>
      follow((collection, syncOptions) => mirror.sync(hr, collection, syncOptions), hr, options),
    changes: (options) => readChanges(opened, options),
    status: () => readStatus(reader),
    runs: (limit = DEFAULT_RUNS) => readRuns(reader, limit),
    person: (id) => readPerson(reader, id),
    persons: (query = {}) => readPersons(reader, query),
    countPersons: (query = {}) => countPersons(reader, query),
    bookings: (query = {}) => readBookings(reader, query),
    absences: (query = {}) => readAbsences(reader, query),
    purge: () => purge(opened),
    close,
    [Symbol.dispose]: close,
  };
  const mirror = withStorageErrors(operations, mirrorKind, opened.file);
  return mirror;
}

function purge(mirror: MirrorDatabase): void {
  const { database, close } = mirror.beginWriting();
  try {
    const tables = [
      'person',
      'person_document',
      'booking',
      'absence',
      'read_absences',
      'collection',
      'run',
      'change',
      'consumer',
    ];
    for (const table of tables) database.exec(`DELETE FROM ${table}`);
    database.exec('COMMIT');
    // The first writes what overwrites the rows into the file, before VACUUM makes it shorter.
    const isOverwritten = truncateLog(database);
    database.exec('VACUUM');
    if (isOverwritten && truncateLog(database)) return;
  } finally {
    close();
  }
  throw new MirrorError(
    'in-use',
    `${mirror.file}: its data is deleted, but a reader keeps the old data in the log. End other programs and open iterations, and purge again.`,
  );
}
