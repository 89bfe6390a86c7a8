import type { DatabaseSync } from 'node:sqlite';

/** A version of a draft. */
export interface DraftVersion {
  /** What it is, and after a slash what it is about, such as `address/100007`. */
  readonly name: string;
  /** An ISO 8601 instant. Each save has a later one. */
  readonly savedAt: string;
}

/** What a person typed and did not send yet. */
export interface StoredDraft extends DraftVersion {
  readonly content: object;
}

/** The drafts of a person, without their content. */
export interface DraftList {
  /** When the list was read, an ISO 8601 instant. */
  readonly at: string;
  readonly drafts: readonly (DraftVersion & {
    /** Of the person that the draft changes. */
    readonly personName: string | undefined;
  })[];
}

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The drafts of people. Nobody sees those of another person. They may contain an IBAN. */
export class Drafts {
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
    database.exec(
      'create table if not exists draft (user text, name text, saved_at text, content text, primary key (user, name)) strict',
    );
  }

  list(user: string): DraftVersion[] {
    const sql = 'select name, saved_at as savedAt from draft where user = ? order by saved_at desc';
    return this.#database.prepare(sql).all(user) as unknown as DraftVersion[];
  }

  get(user: string, name: string): StoredDraft | undefined {
    const sql = 'select name, saved_at as savedAt, content from draft where user = ? and name = ?';
    const row = this.#database.prepare(sql).get(user, name) as (DraftVersion & { content: string }) | undefined;
    return row && { ...row, content: JSON.parse(row.content) as object };
  }

  /**
   * Changes a draft by a JSON merge patch (RFC 7396). `null` deletes it.
   *
   * @param savedAt - Of the version that the person changed; undefined if there was none.
   * @returns When it was saved, or undefined if it is another version now.
   */
  save(user: string, name: string, savedAt: string | undefined, patch: object | null): string | undefined {
    const next = new Date(Math.max(this.#now(), savedAt === undefined ? 0 : Date.parse(savedAt) + 1)).toISOString();
    const json = JSON.stringify(patch);
    const [sql, ...values] =
      savedAt === undefined
        ? ['insert or ignore into draft values (?, ?, ?, ?)', user, name, next, json]
        : patch === null
          ? ['delete from draft where user = ? and name = ? and saved_at = ?', user, name, savedAt]
          : [
              'update draft set saved_at = ?, content = json_patch(content, ?) where user = ? and name = ? and saved_at = ?',
              next,
              json,
              user,
              name,
              savedAt,
            ];
    return this.#database.prepare(sql).run(...values).changes > 0 ? next : undefined;
  }

  /** Deletes drafts that nobody changed for 30 days, and those about something that is gone. */
  clean(isGone: (name: string) => boolean): void {
    const remove = this.#database.prepare('delete from draft where saved_at < ? or name = ?');
    const oldest = new Date(this.#now() - KEPT_DAYS * DAY_MS).toISOString();
    const names = this.#database.prepare('select distinct name from draft').all() as { name: string }[];
    for (const { name } of names) remove.run(oldest, isGone(name) ? name : '');
  }
}
