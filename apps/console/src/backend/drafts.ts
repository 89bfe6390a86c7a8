import type { DatabaseSync, SQLTagStore } from 'node:sqlite';

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
  readonly #sql: SQLTagStore;
  readonly #now: () => number;

  constructor(database: DatabaseSync, now: () => number) {
    database.exec(
      'create table if not exists draft (user text, name text, saved_at text, content text, primary key (user, name)) strict',
    );
    this.#sql = database.createTagStore();
    this.#now = now;
  }

  list(user: string): DraftVersion[] {
    return this.#sql.all`select name, saved_at as savedAt from draft where user = ${user}
      order by saved_at desc` as unknown as DraftVersion[];
  }

  get(user: string, name: string): StoredDraft | undefined {
    const row = this.#sql.get`select name, saved_at as savedAt, content from draft
      where user = ${user} and name = ${name}`;
    return row && { ...(row as unknown as DraftVersion), content: JSON.parse(String(row['content'])) as object };
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
    const write = (): { readonly changes: number | bigint } => {
      if (savedAt === undefined)
        return this.#sql.run`insert or ignore into draft values (${user}, ${name}, ${next}, ${json})`;
      if (patch === null) {
        return this.#sql.run`delete from draft where user = ${user} and name = ${name} and saved_at = ${savedAt}`;
      }
      return this.#sql.run`update draft set saved_at = ${next}, content = json_patch(content, ${json})
        where user = ${user} and name = ${name} and saved_at = ${savedAt}`;
    };
    return write().changes > 0 ? next : undefined;
  }

  /** Deletes drafts that nobody changed for 30 days, and those about something that is gone. */
  clean(isGone: (name: string) => boolean): void {
    this.#sql.run`delete from draft where saved_at < ${new Date(this.#now() - KEPT_DAYS * DAY_MS).toISOString()}`;
    for (const { name } of this.#sql.all`select distinct name from draft`) {
      if (isGone(String(name))) this.#sql.run`delete from draft where name = ${String(name)}`;
    }
  }
}
