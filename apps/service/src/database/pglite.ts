import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Results, Transaction } from '@electric-sql/pglite';
import { DatabaseUnavailableError } from './database-errors.ts';
import { copyTarget, copyText } from './copied-rows.ts';
import type { Database, Queries } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import type { ListQuery } from './list-query.ts';
import { listsOf, pageStatement } from './lists.ts';
import type { Elements } from './lists.ts';

/** PostgreSQL would take 128 MB for a copy of what the system has in its own cache. */
const SHARED_BUFFERS = '8MB';

/**
 * Opens the embedded database: PostgreSQL inside this process, in a folder or in memory.
 *
 * @param folder where the data is; `undefined` keeps it in memory
 * @throws {FolderHeldError} when another process uses the folder.
 */
export async function openPglite(folder: string | undefined): Promise<Database> {
  const lock = folder === undefined ? undefined : lockFolder(folder);
  const pglite = await open(folder === undefined ? undefined : dataIn(folder)).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  const outside = queries(pglite);
  /** What fails because the database is closed may succeed when it is open again. */
  async function available<Result>(attempt: Promise<Result>): Promise<Result> {
    try {
      return await attempt;
    } catch (error) {
      throw pglite.closed ? new DatabaseUnavailableError({ cause: error }) : error;
    }
  }
  return {
    query: (text, values) => available(outside.query(text, values)),
    transaction: (work) => available(pglite.transaction((transaction) => work(queries(transaction)))),
    async copy(rows) {
      const blob = new Blob([copyText(rows)]);
      await available(pglite.query(`${copyTarget(rows)} from '/dev/blob'`, [], { blob }));
    },
    list: listsOf((query) => readElements((statement) => available(pglite.query(statement)), query)),
    async vacuum() {
      await pglite.exec('vacuum');
    },
    pools: () => ({}),
    async close() {
      await pglite.close();
      lock?.release();
    },
  };
}

async function open(dataFolder: string | undefined): Promise<PGlite> {
  if (dataFolder !== undefined && !existsSync(dataFolder)) await initialize(dataFolder);
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`];
  return PGlite.create(dataFolder, { startParams });
}

/** Makes the database in a process of its own: otherwise the service would keep most of the memory that this takes. */
async function initialize(dataFolder: string): Promise<void> {
  // A process that ends early leaves no half of a database under its name.
  const draft = `${dataFolder}.new-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  const child = fork(new URL('initialize-pglite.ts', import.meta.url), [draft], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let fault: object = { message: `The process that makes the database in ${dataFolder} ended early.` };
  child.once('message', (message) => (fault = message as object));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw Object.assign(new Error(), fault);
  await rename(draft, dataFolder);
}

/**
 * Deletes the data of a folder.
 *
 * @throws {FolderHeldError} when another process uses the folder.
 */
export async function emptyFolder(folder: string): Promise<void> {
  const lock = lockFolder(folder);
  try {
    await rm(dataIn(folder), { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

function dataIn(folder: string): string {
  return join(folder, 'pglite');
}

function queries(pglite: PGlite | Transaction): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        if (values === undefined) return ((await pglite.exec(text)).at(-1)?.rows ?? []) as Row[];
        return (await pglite.query<Row>(text, [...values])).rows;
      } catch (error) {
        // PGlite hangs the values of a failed statement on its error, where any log would find them.
        if (error instanceof Error) Object.assign(error, { params: undefined });
        throw error;
      }
    },
  };
}

/** The first page tells how large the elements are; from then on a page has about so many bytes. */
const FIRST_ROWS = 8;
const PAGE_BYTES = 128 * 1024;
const MAX_ROWS = 2000;
const MAX_GROWTH = 8;

interface ListRow {
  readonly last_key: string;
  readonly element: string;
}

/** Reads page by page. A statement blocks the whole process, so others get in between two. */
async function* readElements(
  query: (statement: string) => Promise<Results<ListRow>>,
  list: ListQuery,
): AsyncGenerator<Elements, void, undefined> {
  let after: string | undefined;
  let limit = FIRST_ROWS;
  for (;;) {
    // oxlint-disable no-await-in-loop -- page by page
    await setImmediate();
    const { rows } = await query(pageStatement(list, after, limit));
    // oxlint-enable no-await-in-loop
    const bytes = Buffer.from(rows.map(({ element }) => `,\n${element}`).join(''));
    if (rows.length > 0) yield { bytes, count: rows.length };
    if (rows.length < limit) return;
    after = rows.at(-1)?.last_key;
    const fitting = Math.round(limit * Math.min(MAX_GROWTH, PAGE_BYTES / bytes.length));
    limit = Math.max(1, Math.min(fitting, MAX_ROWS));
  }
}
