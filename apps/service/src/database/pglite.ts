import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite';
import { Admission, type Turn } from './admission.ts';
import { createCommits } from './commit-signal.ts';
import { DatabaseUnavailableError, reasonOfState } from './database-errors.ts';
import { copyTarget, copyText } from './copied-rows.ts';
import type { Database, Queries } from './database.ts';
import { createDiskCheck } from './disk-check.ts';
import { lockFolder } from './folder-lock.ts';
import { pageStatement, type List } from './list.ts';
import { listsOf, type Elements } from './lists.ts';

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
  const dataFolder = folder === undefined ? undefined : dataIn(folder);
  const disk = createDiskCheck();
  const commits = createCommits();
  // PGlite itself runs one after the other in the order of their calls.
  const admission = new Admission(1);
  let pglite = await open(dataFolder).catch((error: unknown) => {
    lock?.release();
    throw error;
  });
  let recovery: Promise<void> | undefined;
  let recoverAt = 0;

  async function recover(crash: DatabaseUnavailableError): Promise<void> {
    if (dataFolder === undefined || performance.now() < recoverAt || !(await hasRoom(dataFolder))) throw crash;
    recoverAt = performance.now() + RECOVERY_PAUSE_MS;
    pglite = await open(dataFolder).catch((error: unknown) => {
      throw new DatabaseUnavailableError({ reason: crash.reason, cause: error });
    });
  }

  async function available<Result>(work: (running: PGlite) => Promise<Result>, turn?: Turn): Promise<Result> {
    const { leave } = await admission.enter(turn);
    return runNow(work).finally(leave);
  }

  /** Runs `work` on the database, after its recovery if it has crashed. */
  async function runNow<Result>(work: (running: PGlite) => Promise<Result>): Promise<Result> {
    const crash = crashes.get(pglite);
    if (crash) {
      recovery ??= recover(crash).finally(() => (recovery = undefined));
      await recovery;
    }
    const running = pglite;
    try {
      const result = await work(running);
      // After a crash it answers to everything, without having done anything.
      throwCrash(running);
      return result;
    } catch (error) {
      throw running.closed ? new DatabaseUnavailableError({ cause: error }) : asUnavailable(error);
    }
  }

  const database: Database = {
    isSerial: true,
    query: (text, values, requester) =>
      disk.watch(available((running) => queries(running, running).query(text, values), requester)),
    async transaction(work, { requester, long } = {}) {
      const result = await disk.watch(available((running) => transact(running, work), { ...requester, long }));
      commits.tell();
      return result;
    },
    onCommit: commits.onCommit,
    async copy(rows) {
      const blob = new Blob([copyText(rows)]);
      const statement = `${copyTarget(rows)} from '/dev/blob'`;
      await disk.watch(available((running) => noticed(running, running.query(statement, [], { blob }))));
    },
    list: listsOf((list, signal, clientId) => {
      const turn = { clientId, signal };
      return readElements((text) => available((running) => noticed(running, running.query(text)), turn), list);
    }),
    async vacuum() {
      await available((running) => noticed(running, running.exec('vacuum')));
    },
    check: () => disk.check(database),
    pools: () => ({}),
    async close() {
      if (!crashes.has(pglite)) await pglite.close();
      lock?.release();
    },
  };
  return database;
}

/** PostgreSQL ends its process when it cannot go on, for instance when it cannot write its log. Here there is none to end. */
const crashes = new WeakMap<PGlite, DatabaseUnavailableError>();

/** Notes when a statement is the end of the database. */
async function noticed<Result>(pglite: PGlite, statement: Promise<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    const { severity = 'ERROR', code } = error as { readonly severity?: string; readonly code?: string };
    if (severity !== 'ERROR' || (error as Error).name === 'RuntimeError') {
      const reason = reasonOfState(code) ?? 'stopping';
      crashes.set(pglite, crashes.get(pglite) ?? new DatabaseUnavailableError({ reason, cause: error }));
    }
    throw error;
  }
}

function throwCrash(pglite: PGlite): void {
  const crash = crashes.get(pglite);
  if (crash) throw crash;
}

async function transact<Result>(pglite: PGlite, work: (transaction: Queries) => Promise<Result>): Promise<Result> {
  let isCommitting = false;
  try {
    const committed = pglite.transaction(async (transaction) => {
      const result = await work(queries(transaction, pglite));
      throwCrash(pglite);
      isCommitting = true;
      return result;
    });
    const result = await noticed(pglite, committed);
    throwCrash(pglite);
    return result;
  } catch (error) {
    const crash = crashes.get(pglite);
    if (!isCommitting || !crash) throw error;
    throw new DatabaseUnavailableError({ reason: crash.reason, cause: error, mayBeStored: true });
  }
}

/** The same error, or a {@link DatabaseUnavailableError} where nothing is wrong with the statement itself. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  const reason = reasonOfState((error as { readonly code?: string }).code);
  return reason === undefined ? error : new DatabaseUnavailableError({ reason, cause: error });
}

/** A recovery that fails takes a second in which nothing else runs, and much memory. */
const RECOVERY_PAUSE_MS = 1000;
/** Two segments of PostgreSQL's log. */
const ROOM_BYTES = 32 * 2 ** 20;

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= ROOM_BYTES;
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
    // It ends before optimised WebAssembly would pay.
    execArgv: [...process.execArgv, '--liftoff-only'],
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

function queries(executor: PGlite | Transaction, pglite: PGlite): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        if (values === undefined) return ((await noticed(pglite, executor.exec(text))).at(-1)?.rows ?? []) as Row[];
        return (await noticed(pglite, executor.query<Row>(text, [...values]))).rows;
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
  list: List,
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
