import type { PersonPatch } from '@hr/schemas';
import { changesSince, type Since } from '../src/database/change-sets.ts';
import type { Database } from '../src/database/database.ts';
import { personList } from '../src/persons/person-list.ts';
import { updatePerson } from '../src/persons/update-person.ts';
import type { BadLine } from '../src/feed/feed-batches.ts';
import type { FeedSource } from '../src/feed/feed-source.ts';
import { importFeed } from '../src/feed/import-feed.ts';
import type { ImportProgress } from '../src/feed/import-run.ts';
import type { Driver } from './drivers.ts';
import { listText } from './list-text.ts';
import { ownDatabase } from './own-database.ts';

type Line = object | string;
type Shown = Readonly<Record<string, unknown>> & { readonly id: string; readonly address?: { readonly city?: string } };

/** A feed of records, or of lines as they are. */
export function feed(...lines: readonly Line[]): FeedSource {
  const written = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return source(Buffer.from(written.join('\n')));
}

/** A feed of bytes, in these chunks. */
export function source(...chunks: readonly Uint8Array[]): FeedSource {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  return { name: 'feed', bytes: bytes() };
}

/** What an import did, in few words: `{ person: 'created 1', … }` of the kinds that came. */
interface Imported extends Pick<ImportProgress, 'lines'> {
  readonly outcomes: Readonly<Record<string, string>>;
  readonly badLines: readonly BadLine[];
}

/** A database with the service's tables, to load feeds into. */
export interface FeedDatabase {
  readonly database: Database;
  load(...lines: readonly Line[]): Promise<Imported>;
  /** All persons, by id. */
  persons(): Promise<Record<string, Shown>>;
  /** The list of changes, by default since the last call of {@link rest}. */
  changes(since?: Since): Promise<Shown[]>;
  /** Patches the address of a person. */
  patchCity(id: string, city: string, beforeCommit?: () => Promise<void>): Promise<void>;
  /** Lets everything so far be of a day long ago. */
  rest(): Promise<void>;
  /** Every row of the tables that a feed writes, without change sets. */
  rows(): Promise<Readonly<Record<string, readonly unknown[]>>>;
  clear(): Promise<void>;
  readonly remove: () => Promise<void>;
}

const tables = [
  'source_document',
  'person_patch',
  'contract',
  'mapping',
  'person_view',
  'salary_entry',
  'time_account',
  'time_day',
  'absence',
];
/** Everything that a feed leaves in the database, in an order in which it can be deleted. */
export const feedTables = [...tables, 'gone_person', 'moved_absence', 'former_mapping', 'import_run'];
const changeColumns = [
  'master_change',
  'payroll_change',
  'time_change',
  'custom_change',
  'first_change',
  'field_changes',
  'change',
];
const LONG_AGO = '2001-01-01';
const SINCE = '2002-01-01';

/** Opens an empty one. */
export async function feedDatabase(driver: Driver): Promise<FeedDatabase> {
  const { database, remove } = await ownDatabase(driver);
  const list = async (since?: Since): Promise<Shown[]> =>
    JSON.parse(await listText(database, personList({ customFields: [] }, since))) as Shown[];
  return {
    database,
    async load(...lines) {
      const badLines: BadLine[] = [];
      const summary = await importFeed(database, [feed(...lines)], { onBadLine: (badLine) => badLines.push(badLine) });
      return { lines: summary.lines, outcomes: inWords(summary), badLines };
    },
    async persons() {
      return Object.fromEntries((await list()).map((person) => [person.id, person]));
    },
    async changes(since) {
      return list(since ?? (await changesSince(database, SINCE, 'UTC')));
    },
    patchCity: (id, city, beforeCommit) => storePatch(database, id, { addresses: [{ city }] }, beforeCommit),
    async rest() {
      await dateAllChanges(database, LONG_AGO);
    },
    async rows() {
      const rows = tables.map((table) =>
        database.query(`select to_jsonb(kept) - $1::text[] as row from ${table} as kept order by 1`, [changeColumns]),
      );
      return Object.fromEntries((await Promise.all(rows)).map((each, index) => [tables[index], each]));
    },
    async clear() {
      await database.query(feedTables.map((table) => `delete from ${table};`).join(''));
    },
    remove,
  };
}

/** The outcomes of the kinds that came: `{ person: 'created 1, unchanged 2' }`. */
export function inWords({ outcomes }: Pick<ImportProgress, 'outcomes'>): Record<string, string> {
  const came = Object.entries(outcomes).map(([kind, counts]) => [
    kind,
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', '),
  ]);
  return Object.fromEntries(came.filter(([, words]) => words !== '')) as Record<string, string>;
}

/** Patches a person as the API does. */
export async function storePatch(
  database: Database,
  personId: string,
  patch: PersonPatch,
  beforeCommit?: () => Promise<void>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await updatePerson(transaction, personId, patch, { customFields: [] });
    await beforeCommit?.();
  });
}

/** Lets some change sets be of another moment, as if the clock had been so. */
export async function dateChanges(database: Database, moment: string, condition: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('delete from change_period');
    await transaction.query(
      `update change_set set changed_at = case when ${condition} then $1::timestamptz else changed_at end`,
      [moment],
    );
    // Dates that were made up are in no order.
    await transaction.query(`update change_period set opened_at = '-infinity'`);
  });
}

/** Lets everything so far have changed at a moment. */
export async function dateAllChanges(database: Database, moment: string): Promise<void> {
  await dateChanges(database, moment, 'true');
}
