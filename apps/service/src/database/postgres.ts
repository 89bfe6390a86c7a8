import { Transform, pipeline } from 'node:stream';
import { DatabaseError, Pool } from 'pg';
import type { PoolClient, QueryResult } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DatabaseBusyError, DatabaseRefusedError, DatabaseUnavailableError } from './database-errors.ts';
import type { Database, PoolState, Queries } from './database.ts';
import type { JsonStream } from './json-answer.ts';
import type { ListQuery } from './list-query.ts';

const CONNECTIONS = 10;
const LISTS_AT_A_TIME = 8;
const CONNECT_TIMEOUT_MS = 5000;

/**
 * Opens a PostgreSQL database, version 15 or newer.
 *
 * @throws {DatabaseUnavailableError} when it does not answer.
 * @throws {DatabaseRefusedError} when it lets nobody in with this user, password and database.
 */
export async function openPostgres(connectionString: string): Promise<Database> {
  const settings = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
  const pool = new Pool({ ...settings, max: CONNECTIONS });
  const lists = new Pool({ ...settings, max: LISTS_AT_A_TIME });
  let listsOpen = 0;
  // A connection that breaks fails the statement that runs on it, or else the next one; without listeners for the
  // ones at rest, in the pool or between two statements of a transaction, it would end the process.
  for (const each of [pool, lists]) {
    each.on('error', () => {});
    each.on('connect', (client) => client.on('error', () => {}));
  }
  const database: Database = {
    ...queries(pool),
    async transaction(work) {
      const client = await available(pool.connect());
      let broken = false;
      try {
        await available(client.query('begin'));
        const result = await work(queries(client));
        await commit(queries(client));
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async list({ text }: ListQuery) {
      if (listsOpen === LISTS_AT_A_TIME) throw new DatabaseBusyError();
      listsOpen += 1;
      try {
        const list = jsonArray(await available(lists.connect()), text);
        list.json.once('close', () => (listsOpen -= 1));
        return list;
      } catch (error) {
        listsOpen -= 1;
        throw error;
      }
    },
    async vacuum() {
      // Autovacuum does it.
    },
    pools: () => ({ requests: stateOf(pool), lists: stateOf(lists) }),
    async close() {
      await Promise.all([pool.end(), lists.end()]);
    },
  };
  try {
    await database.query('select 1');
  } catch (error) {
    await database.close();
    throw error instanceof DatabaseError && refusingClasses.has(stateClass(error))
      ? new DatabaseRefusedError(error.code ?? '')
      : error;
  }
  return database;
}

function queries(client: Pool | PoolClient): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      const result: unknown = await available(client.query(text, values && [...values]));
      return (Array.isArray(result) ? [] : (result as QueryResult).rows) as Row[];
    },
  };
}

/**
 * The rows of COPY, passed through undecoded. Each element comes with a comma before it and a newline behind it; the
 * first comma gives way to the bracket. Neither the quote nor the delimiter chosen here occurs in JSON text.
 */
function jsonArray(client: PoolClient, text: string): JsonStream {
  const rows = client.query(
    copyTo(
      `copy (select ',' || element from (${text}) as list order by key) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`,
    ),
  );
  let first = true;
  const array = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (first) chunk[0] = '['.charCodeAt(0);
      first = false;
      done(null, chunk);
    },
    flush(done) {
      done(null, Buffer.from(first ? '[]' : ']'));
    },
    destroy(error, done) {
      done(error && asUnavailable(error));
    },
  });
  const json = pipeline(rows, array, (error) => {
    // A list that was not read to its end leaves its connection in the middle of an answer.
    client.release(error ?? undefined);
  });
  return {
    json,
    get elements() {
      return rows.rowCount;
    },
  };
}

function stateOf({ totalCount, idleCount, waitingCount }: Pool): PoolState {
  return { connections: totalCount, idle: idleCount, waiting: waitingCount };
}

async function commit(transaction: Queries): Promise<void> {
  try {
    await transaction.query('commit');
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    // The server may have done it and only the answer got lost.
    throw new DatabaseUnavailableError({ cause: error.cause, mayBeStored: true });
  }
}

/** PostgreSQL's classes of conditions that pass: connection exceptions, too few resources, an operator's intervention. */
const passingClasses = new Set(['08', '53', '57']);
/** Its condition for a lock that was waited for too long. */
const LOCK_NOT_AVAILABLE = '55P03';
/** Its classes for a wrong user or password, and for a database that is not there. */
const refusingClasses = new Set(['28', '3D']);

function stateClass({ code = '' }: DatabaseError): string {
  return code.slice(0, 2);
}

async function available<Result>(attempt: Promise<Result>): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The same error, or a {@link DatabaseUnavailableError} where it is one that passes. */
function asUnavailable<Thrown>(error: Thrown): Thrown | DatabaseUnavailableError {
  // What neither the server said nor our own code threw came from the connection.
  const passes =
    error instanceof DatabaseError
      ? passingClasses.has(stateClass(error)) || error.code === LOCK_NOT_AVAILABLE
      : !(error instanceof TypeError);
  return passes ? new DatabaseUnavailableError({ cause: error }) : error;
}
