import type { StatementSync } from 'node:sqlite';
import { differingFields, withoutEmptyFields } from './changes.ts';
import type { Sync } from './sync.ts';

/** The statements of a table whose rows are replaced whole. */
export interface DocumentStatements {
  /** By person, and the row's own id or date: `key` and `document`. */
  readonly find: string;
  /** With document, person, and id or date. */
  readonly insert: string;
  /** With document and key. */
  readonly update: string;
  /** By key. */
  readonly delete: string;
}

/** Stores days of time bookings, or absences. */
export class DocumentStore {
  readonly #sync: Sync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #delete: StatementSync;

  constructor(sync: Sync, statements: DocumentStatements) {
    const { database } = sync;
    this.#sync = sync;
    this.#find = database.prepare(statements.find);
    this.#insert = database.prepare(statements.insert);
    this.#update = database.prepare(statements.update);
    this.#delete = database.prepare(statements.delete);
  }

  /**
   * Stores what a list has of a row: its new document, or its deletion.
   *
   * @param changeId - Its id in a `MirrorChange`.
   */
  store(personId: string, rowId: string, changeId: string, element: object): void {
    const { changes, sweep } = this.#sync;
    const row = this.#find.get(personId, rowId) as { key: number; document: string } | undefined;
    if ('deleted' in element && element.deleted === true) {
      if (row) {
        this.#delete.run(row.key);
        changes.record('deleted', personId, changeId);
      } else {
        changes.recordUnchanged();
      }
      return;
    }

    const document = withoutEmptyFields(element);
    if (!row) {
      const { lastInsertRowid } = this.#insert.run(JSON.stringify(document), personId, rowId);
      sweep?.mark(Number(lastInsertRowid));
      changes.record('added', personId, changeId, () => Object.keys(document));
      return;
    }
    sweep?.mark(row.key);
    const fields = differingFields(JSON.parse(row.document) as object, document);
    if (fields.length === 0) {
      changes.recordUnchanged();
      return;
    }
    this.#update.run(JSON.stringify(document), row.key);
    changes.record('changed', personId, changeId, () => fields);
  }
}
