import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Label } from '@hr/text/labels';
import type { LabelChange } from '../model/labels.ts';

const SCHEMA =
  'create table if not exists label (kind text, key text, en text, de text, color text, primary key (kind, key)) strict';

/** The dictionary: names and colours that administrators keep for keys. */
export class Labels {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(SCHEMA);
  }

  all(): Label[] {
    const rows = this.#database.prepare('select * from label order by kind, key').all() as unknown as Label[];
    return rows.map((row) => ({ ...row }));
  }

  /**
   * Makes all changes. If another person changed one of the entries meanwhile, it makes none and returns false.
   *
   * @param approve - Called before they are stored. If it throws, none is.
   */
  change(changes: readonly LabelChange[], approve: () => void): boolean {
    const remove = this.#database.prepare('delete from label where (kind, key, en, de, color) = (?, ?, ?, ?, ?)');
    const insert = this.#database.prepare('insert or ignore into label values (?, ?, ?, ?, ?)');
    this.#database.exec('begin immediate');
    try {
      if (!changes.every(({ before, after }) => runs(remove, before) && runs(insert, after))) return false;
      approve();
      this.#database.exec('commit');
      return true;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('rollback');
    }
  }
}

/** Returns whether the statement found the label, or had none to run for. */
function runs(statement: StatementSync, label: Label | null): boolean {
  return !label || statement.run(label.kind, label.key, label.en, label.de, label.color).changes === 1;
}
