import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Changes } from './changes.ts';
import type { Collection } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';

const tables: { readonly [Name in Collection]: string } = {
  persons: 'person',
  bookings: 'booking',
  absences: 'absence',
};
/** SQL for the ids of a row in a `MirrorChange`. */
export const rowIds: { readonly [Name in Collection]: string } = {
  persons: 'id AS "personId", id',
  bookings: `person_id AS "personId", person_id || '/' || date AS id`,
  absences: 'person_id AS "personId", id',
};
const MARKED = 'key IN (SELECT key FROM temp.marked)';
const UNMARKED = `NOT ${MARKED}`;
const OF_NOBODY = 'person_id NOT IN (SELECT id FROM person)';

/** The rows that a complete list has are marked; the others are deleted at the end. */
export class Sweep {
  readonly #database: DatabaseSync;
  readonly #collection: Collection;
  readonly #file: string;
  readonly #rows: number;
  readonly #mark: StatementSync;

  constructor(database: DatabaseSync, collection: Collection, file: string) {
    this.#database = database;
    this.#collection = collection;
    this.#file = file;
    this.#rows = this.#count('true');
    database.exec('CREATE TEMP TABLE marked (key INTEGER PRIMARY KEY)');
    this.#mark = database.prepare('INSERT OR IGNORE INTO temp.marked (key) VALUES (?)');
  }

  mark(key: number): void {
    // New rows need no mark where there is nothing to sweep.
    if (this.#rows > 0) this.#mark.run(key);
  }

  /**
   * Deletes the rows without a mark.
   *
   * @throws {MirrorError} `list-too-short` if these are more than a share of all.
   */
  deleteRest(maxShrink: number, changes: Changes): void {
    // Also of persons whom this mirror has never had: they were deleted before its first sync of persons.
    if (this.#collection === 'persons') this.#deleteOfNobody(changes);
    if (this.#rows > 0) {
      this.#refuseIfTooMany(this.#count(UNMARKED), maxShrink);
      const table = tables[this.#collection];
      const unmarked = this.#database.prepare(`SELECT ${rowIds[this.#collection]} FROM ${table} WHERE ${UNMARKED}`);
      for (const { personId, id } of unmarked.all()) changes.record('deleted', String(personId), String(id));
      if (this.#collection === 'persons') this.#database.exec(`DELETE FROM person_document WHERE ${UNMARKED}`);
      this.#database.exec(`DELETE FROM ${table} WHERE ${UNMARKED}`);
      if (this.#collection === 'persons') this.#deleteOfNobody(changes);
    }
    this.#database.exec('DROP TABLE temp.marked');
  }

  /** Deletes days and absences of persons whom the mirror does not have. */
  #deleteOfNobody(changes: Changes): void {
    for (const name of ['bookings', 'absences'] as const) {
      const deletion = `DELETE FROM ${tables[name]} WHERE ${OF_NOBODY} RETURNING ${rowIds[name]}`;
      changes.recordTaken(name, this.#database.prepare(deletion).all());
    }
    this.#database.exec(`DELETE FROM read_absences WHERE ${OF_NOBODY}`);
  }

  #refuseIfTooMany(unmarked: number, maxShrink: number): void {
    if (unmarked <= maxShrink * this.#rows) return;
    throw new MirrorError(
      'list-too-short',
      `${this.#file}: the list has ${this.#rows - unmarked} of the ${this.#rows} ${this.#collection} of this mirror. A full sync would delete ${unmarked}, more than maxShrink ${maxShrink} allows. Check that the client may still read them all. If they were really deleted, sync again with a larger maxShrink, such as 1.`,
    );
  }

  #count(condition: string): number {
    const count = `SELECT count(*) AS rows FROM ${tables[this.#collection]} WHERE ${condition}`;
    return Number(this.#database.prepare(count).get()?.['rows']);
  }
}
