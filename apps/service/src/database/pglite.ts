import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Transaction } from '@electric-sql/pglite';
import { DatabaseUnavailableError } from './database-errors.ts';
import { copyTarget, copyText } from './copied-rows.ts';
import type { Database, Queries } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { listPages, pageStatement } from './list-pages.ts';
import type { Page, PageRequest } from './list-pages.ts';

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
    list: listPages((page) => available(readPage(pglite, page))),
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

async function readPage(pglite: PGlite, request: PageRequest): Promise<Page> {
  // One statement blocks the whole process; others get in between two.
  await setImmediate();
  const { rows } = await pglite.query<{ last: string; element: string }>(
    pageStatement('key::text as last, element', request),
  );
  return {
    chunks: rows.length > 0 ? [Buffer.from(rows.map(({ element }) => `,${element}\n`).join(''))] : [],
    elements: rows.length,
    last: rows[request.rows - 1]?.last,
  };
}
