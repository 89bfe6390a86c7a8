import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { byId, type PersonRow } from './person-row.ts';

/** All persons of the directory, or what changed. */
export interface PeopleScreen {
  /** Of the directory. A page that has it reads what changed since then. */
  readonly version: string;
  /** Ordered by their ids. */
  readonly rows: readonly PersonRow[];
  /** Ids of persons who are gone since the version of the page. Without it, the rows are all persons. */
  readonly deleted?: readonly string[];
}

/** Remembers when each row of the directory changed, so that a page reads only what changed since its own version. */
export class DirectoryVersions {
  /** A version of another process is unknown. */
  readonly #process = randomUUID();
  readonly #rows = new Map<string, { readonly row: PersonRow; readonly version: number }>();
  readonly #deleted = new Map<string, number>();
  #version = 0;

  /** Takes all rows, of which any may have changed. */
  update(rows: Iterable<PersonRow>): void {
    const version = this.#version + 1;
    const gone = new Set(this.#rows.keys());
    for (const row of rows) {
      const [id] = row;
      gone.delete(id);
      if (isDeepStrictEqual(this.#rows.get(id)?.row, row)) continue;
      this.#rows.set(id, { row, version });
      this.#deleted.delete(id);
      this.#version = version;
    }
    for (const id of gone) {
      this.#rows.delete(id);
      this.#deleted.set(id, version);
      this.#version = version;
    }
  }

  /** Returns what changed since a version, or all rows if it is unknown. */
  since(known: string | undefined): PeopleScreen {
    const version = `${this.#process} ${this.#version}`;
    const [process, text = ''] = known?.split(' ') ?? [];
    if (process !== this.#process) {
      return { version, rows: Array.from(this.#rows.values(), ({ row }) => row).toSorted(byId) };
    }
    const isNewer = (other: number): boolean => other > Number(text);
    return {
      version,
      rows: [...this.#rows.values()].filter((stored) => isNewer(stored.version)).map(({ row }) => row),
      deleted: [...this.#deleted].filter(([, deletedIn]) => isNewer(deletedIn)).map(([id]) => id),
    };
  }
}
