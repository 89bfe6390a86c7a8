import type { DatabaseSync, SQLTagStore } from 'node:sqlite';
import type { Person } from '@hr/client';
import { Person as PersonModel } from '@hr/schemas';
import type { Mirror, MirrorRowChange } from '@hr/client/mirror';
import { maskBankDetails } from '../model/masked-bank-details.ts';
import { HISTORY_DAYS, openDatabase } from './records.ts';

/** What a sync found changed of a person. The values are those that a screen may show. */
export interface PersonChange {
  readonly personId: string;
  /** The service changed it between these moments of its clock, in milliseconds. It may have begun a little earlier. */
  readonly after: number;
  readonly until: number;
  /** By the names of the fields that changed. `null` is no value. */
  readonly before: Values;
  readonly now: Values;
}

type Values = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;

const SCHEMA = `
create table if not exists change (person_id text, after integer, until integer not null, before text not null, now text not null,
  primary key (person_id, after)) strict, without rowid;
create table if not exists synced (at integer not null) strict;
`;

/**
 * What changed of persons, with the values before, in a file of its own. The values of a person are deleted, and
 * overwritten, together with the person.
 */
export class PersonChanges implements Disposable {
  readonly #database: DatabaseSync;
  readonly #sql: SQLTagStore;

  /** @throws {ConfigError} If the file cannot be used. */
  constructor(file: string) {
    // Without a log, which would keep what was deleted.
    this.#database = openDatabase(file, `pragma secure_delete = on; ${SCHEMA}`);
    this.#sql = this.#database.createTagStore();
  }

  /** Returns what changed of a person, the oldest first. */
  of(personId: string): PersonChange[] {
    const rows = this.#sql.all`select person_id as personId, after, until, before, now from change
      where person_id = ${personId} order by after`;
    return rows.map(({ before, now, ...row }) => ({
      ...(row as unknown as PersonChange),
      before: JSON.parse(String(before)) as Values,
      now: JSON.parse(String(now)) as Values,
    }));
  }

  /**
   * Keeps what a sync of persons has found. What it cannot keep now, it does after the next one.
   *
   * @param until - The end of the sync by the clock of the service.
   */
  async keep(mirror: Mirror, until: number, signal: AbortSignal): Promise<void> {
    const { syncedAt = '', fullSyncedAt = '' } =
      mirror.status().find(({ collection }) => collection === 'persons') ?? {};
    const after = this.#sql.get`select at from synced`?.['at'] as number | undefined;
    // A complete list also differs because the client of the console may see something else now.
    const knowsWhy = after !== undefined && Date.parse(fullSyncedAt) <= after;
    for await (const change of mirror.changes({ consumer: 'history', signal })) {
      if (change.collection !== 'persons') continue;
      if (change.kind === 'reset') this.#deleteWhere((id) => mirror.person(id) === undefined);
      else if (change.kind === 'deleted' || change.kind === 'erased') this.#deleteWhere((id) => id === change.id);
      else if (change.before && knowsWhy) this.#store(change, mirror, after, until);
    }
    this.#sql.run`delete from change where until < ${until - HISTORY_DAYS * DAY_MS}`;
    this.#database.exec(`delete from synced; insert into synced values (${Date.parse(syncedAt)})`);
  }

  #deleteWhere(isGone: (personId: string) => boolean): void {
    for (const { id } of this.#sql.all`select distinct person_id as id from change`) {
      if (isGone(String(id))) this.#sql.run`delete from change where person_id = ${String(id)}`;
    }
  }

  #store({ id, fields, before = {} }: MirrorRowChange, mirror: Mirror, after: number, until: number): void {
    const { person } = mirror.person(id) ?? {};
    // A program that was killed has stored a part, or two syncs have changed the same person.
    const stored = this.of(id).find((change) => change.after === after);
    const values = { ...shownValues(before, fields), ...stored?.before };
    const now = shownValues(person ?? {}, Object.keys(values));
    this.#sql.run`insert or replace into change
      values (${id}, ${after}, ${until}, ${JSON.stringify(values)}, ${JSON.stringify(now)})`;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** What screens may show of some fields. What a newer service adds is not for people's eyes until somebody decides that. */
function shownValues(person: Partial<Person>, fields: readonly string[]): Values {
  const { bankDetails } = person;
  const shown: Values = { ...person, ...(bankDetails && { bankDetails: maskBankDetails(bankDetails) }) };
  const known = fields.filter((field) => Object.hasOwn(PersonModel.shape, field));
  return Object.fromEntries(known.map((field) => [field, shown[field] ?? null]));
}
