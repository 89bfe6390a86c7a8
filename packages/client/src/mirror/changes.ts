import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Collection, MirrorChange, MirrorRowChange, SyncCounts } from './mirror.ts';

/** A dry run returns so many changes. */
const MAX_SHOWN = 1000;
/** The log keeps so many changes of a collection. A consumer that is further behind reads the collection anew. */
const MAX_LOGGED = 100_000;

type Row = Readonly<Record<string, unknown>>;

/** What a sync changes: it counts, and writes the log. */
export class Changes {
  readonly counts: { -readonly [Name in keyof SyncCounts]: number } = {
    added: 0,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    erased: 0,
  };
  /** The first changes of a dry run. */
  readonly shown: MirrorChange[] = [];
  readonly #database: DatabaseSync;
  readonly #collection: Collection;
  readonly #isDryRun: boolean;
  readonly #log: (change: MirrorRowChange, before: Row | undefined) => void;

  constructor(database: DatabaseSync, collection: Collection, isDryRun: boolean) {
    this.#database = database;
    this.#collection = collection;
    this.#isDryRun = isDryRun;
    const rows = isDryRun ? [] : database.prepare('SELECT DISTINCT collection FROM consumer').all();
    const logged = new Set(rows.map((row) => row['collection']));
    const insert = database.prepare(
      'INSERT INTO change (collection, kind, person_id, id, fields, before) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#log = (change, before) => {
      const { collection: name, kind, personId, id, fields } = change;
      if (!logged.has(name)) return;
      // JSON leaves out the fields that had no value.
      const values = before && JSON.stringify(Object.fromEntries(fields.map((field) => [field, before[field]])));
      insert.run(name, kind, personId, id, JSON.stringify(fields), values ?? null);
    };
  }

  /**
   * Records a change of a row of the collection.
   *
   * @param before - The row before, whose values the log keeps.
   */
  record(
    kind: MirrorRowChange['kind'],
    personId: string,
    id: string,
    fields: () => readonly string[] = () => [],
    before?: Row,
  ): void {
    this.counts[kind]++;
    this.#add({ collection: this.#collection, kind, personId, id, fields: fields() }, before);
  }

  /** Logs days and absences that go with their person. They are not counted. */
  recordTaken(collection: Collection, rows: readonly Row[]): void {
    for (const { personId, id } of rows) {
      this.#add({ collection, kind: 'deleted', personId: String(personId), id: String(id), fields: [] });
    }
  }

  recordUnchanged(): void {
    this.counts.unchanged++;
  }

  /** Deletes from the log what every consumer has acknowledged, what is too much, and the values of persons who are gone. */
  prune(): void {
    if (this.#collection === 'persons' && this.counts.deleted + this.counts.erased > 0) {
      this.#database.exec(
        'UPDATE change SET before = NULL WHERE before IS NOT NULL AND person_id NOT IN (SELECT id FROM person)',
      );
    }
    const tooOld = `(SELECT number FROM change WHERE collection = :name ORDER BY number DESC LIMIT 1 OFFSET ${MAX_LOGGED})`;
    const acknowledged = '(SELECT min(position) FROM consumer WHERE collection = :name)';
    const rows = this.#database.prepare('SELECT DISTINCT collection AS name FROM change').all();
    for (const { name = null } of rows) {
      this.#database
        .prepare(`UPDATE collection SET changes_after = ${tooOld} WHERE name = :name AND changes_after < ${tooOld}`)
        .run({ name });
      this.#database
        .prepare(
          `DELETE FROM change WHERE collection = :name AND number <= max(coalesce(${tooOld}, -1), coalesce(${acknowledged}, -1))`,
        )
        .run({ name });
    }
  }

  #add(change: MirrorRowChange, before?: Row): void {
    if (this.#isDryRun && this.shown.length < MAX_SHOWN) this.shown.push(change);
    this.#log(change, before);
  }
}

/** Returns a copy without fields that are `null`: they have no value. */
export function withoutEmptyFields<Element extends object>(element: Element): Element {
  // Most elements have none. It only saves time.
  if (!Object.values(element).includes(null)) return element;
  return Object.fromEntries(Object.entries(element).filter(([, value]) => value !== null)) as Element;
}

/** Returns the names of the top-level fields that differ between two documents. */
export function differingFields(one: object, other: object): string[] {
  const [ones, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...ones.keys(), ...others.keys()])].filter(
    (name) => !isDeepStrictEqual(ones.get(name), others.get(name)),
  );
}
