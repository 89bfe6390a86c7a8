import { DatabaseError, Pool } from 'pg';
import type { PoolClient, QueryResult } from 'pg';
import { DatabaseRefusedError, DatabaseUnavailableError, LOCK_NOT_AVAILABLE } from './database-errors.ts';
import type { Database, PoolState, Queries } from './database.ts';
import { copyRows } from './copied-rows.ts';
import { copiedLists } from './copied-lists.ts';
import { listsOf } from './lists.ts';

const CONNECTIONS = 10;
/** How long a request waits for a connection and for a statement, each; whoever waits holds up others. */
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 5000;
/** How long for a database that says nothing at all, and so ends no statement itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Opens a PostgreSQL database, version 15 or newer.
 *
 * @throws {DatabaseUnavailableError} when it does not answer.
 * @throws {DatabaseRefusedError} when it lets nobody in with this user, password and database.
 */
export async function openPostgres(connectionString: string): Promise<Database> {
  const settings = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
  const pool = new Pool({ ...settings, max: CONNECTIONS, statement_timeout: STATEMENT_TIMEOUT_MS });
  const lists = copiedLists(connectionString);
  // A connection that breaks fails the statement that runs on it, or else the next one; without listeners for the
  // ones at rest, in the pool or between two statements of a transaction, it would end the process.
  for (const each of [pool, lists.pool]) {
    each.on('error', () => {});
    each.on('connect', (client) => client.on('error', () => {}));
  }
  const database: Database = {
    ...queries(pool, ANSWER_TIMEOUT_MS),
    async transaction(work, { long = false } = {}) {
      const client = await available(pool.connect());
      const transaction = queries(client, long ? undefined : ANSWER_TIMEOUT_MS);
      let broken = false;
      try {
        await transaction.query(long ? 'begin; set local statement_timeout = 0' : 'begin');
        const result = await work(transaction);
        await commit(transaction);
        return result;
      } catch (error) {
        broken = saysNothing(error);
        if (!broken) {
          await transaction.query('rollback').catch(() => {
            broken = true;
          });
        }
        throw error;
      } finally {
        client.release(broken);
      }
    },
    copy: (rows) => available(copyRows(pool, rows)),
    list: listsOf(async function* readElements(query, signal) {
      try {
        yield* lists.readElements(query, signal);
      } catch (error) {
        throw asUnavailable(error);
      }
    }),
    async vacuum() {
      // Autovacuum does it.
    },
    pools: () => ({ requests: stateOf(pool), lists: stateOf(lists.pool) }),
    async close() {
      await Promise.all([pool.end(), lists.close()]);
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

function queries(client: Pool | PoolClient, timeoutMs: number | undefined): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      const statement = {
        text,
        ...(values && { values: [...values] }),
        // Those of a long transaction are planned for the values that they have.
        ...(values && timeoutMs !== undefined && { name: statementName(text) }),
        query_timeout: timeoutMs,
      };
      const result: unknown = await available(client.query(statement));
      return (Array.isArray(result) ? [] : (result as QueryResult).rows) as Row[];
    },
  };
}

/** A connection keeps the plans of so many statements. */
const MAX_NAMED_STATEMENTS = 200;
const statementNames = new Map<string, string>();

/** A named statement is parsed and planned once a connection, which is most of the work of a point read. */
function statementName(text: string): string | undefined {
  const name = statementNames.get(text);
  if (name !== undefined || statementNames.size >= MAX_NAMED_STATEMENTS) return name;
  statementNames.set(text, `hr-${statementNames.size}`);
  return statementNames.get(text);
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

/** PostgreSQL's classes of conditions that pass: connection exceptions, deadlocks, too few resources, an operator's intervention. */
const passingClasses = new Set(['08', '40', '53', '57']);
/** Its classes for a wrong user or password, and for a database that is not there. */
const refusingClasses = new Set(['28', '3D']);

function stateClass({ code = '' }: DatabaseError): string {
  return code.slice(0, 2);
}

/** Whether an error came from a connection on which the server answers no more. */
function saysNothing(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && !(error.cause instanceof DatabaseError);
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
