import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Transaction } from '@electric-sql/pglite';
import type { Database, Queries } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import type { ListQuery } from './list-query.ts';

// One statement blocks the whole process: some milliseconds for a page of persons, longer where elements are large.
const ROWS_A_PAGE = 500;

/**
 * Opens the embedded database: PostgreSQL inside this process, in a folder or in memory.
 *
 * @param folder where the data is; `undefined` keeps it in memory
 * @throws {FolderHeldError} when another process uses the folder.
 */
export async function openPglite(folder: string | undefined): Promise<Database> {
  const lock = folder === undefined ? undefined : lockFolder(folder);
  const pglite = await PGlite.create(folder === undefined ? undefined : dataIn(folder)).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  return {
    ...queries(pglite),
    transaction: (work) => pglite.transaction((transaction) => work(queries(transaction))),
    async list(query) {
      const list = { elements: 0 };
      const bytes = jsonArray(pglite, query, (rows) => (list.elements += rows));
      // An explicit size of the buffer: a page is one chunk.
      return Object.assign(list, { json: Readable.from(bytes, { objectMode: false, highWaterMark: 1 }) });
    },
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

async function* jsonArray(pglite: PGlite, { text }: ListQuery, onRows: (rows: number) => void): AsyncGenerator<Buffer> {
  const page = `select key, element from (${text}) as list where key > $1 order by key limit ${ROWS_A_PAGE}`;
  let after = '';
  let open = '[';
  for (;;) {
    // Each page starts where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await pglite.query<{ key: string; element: string }>(page, [after]);
    const last = rows.at(-1);
    if (!last) break;
    onRows(rows.length);
    yield Buffer.from(open + rows.map((row) => row.element).join(',\n'));
    after = last.key;
    open = ',\n';
    if (rows.length < ROWS_A_PAGE) break;
    // oxlint-disable-next-line no-await-in-loop -- lets other requests in
    await setImmediate();
  }
  yield Buffer.from(open === '[' ? '[]' : ']');
}
