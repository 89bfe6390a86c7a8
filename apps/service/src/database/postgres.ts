import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import pg, { DatabaseError, type Client, type PoolClient, type QueryResult } from 'pg';
import { DatabaseRefusedError, DatabaseUnavailableError, reasonOfState } from './database-errors.ts';
import type { Turn } from './admission.ts';
import type { Database, Queries } from './database.ts';
import { createCommitSignal } from './commit-signal.ts';
import { copyRows, copyTarget, copyText } from './copied-rows.ts';
import { copiedLists } from './copied-lists.ts';
import { createDiskCheck } from './disk-check.ts';
import { primaryPosition, type PrimaryPosition } from './list-replica.ts';
import { listsOf } from './lists.ts';
import { pooled, PostgresServers } from './postgres-servers.ts';

const DEFAULT_OPTIONS: PostgresOptions = { requests: 10, lists: 8 };

/** How a process uses PostgreSQL. */
export interface PostgresOptions {
  /** Maximum number of connections for requests. */
  readonly requests: number;
  /** Maximum number of connections for lists, to the primary and to the replica each. */
  readonly lists: number;
  /** The address of a standby that lists are read from. */
  readonly replica?: string | undefined;
  /** How long a connection for requests rests before it closes. Default: 10 seconds. */
  readonly idleMs?: number | undefined;
}

/** How long a request waits for a connection and for a statement, together; whoever waits holds up others. */
const STATEMENT_TIMEOUT_MS = 5000;
/** Of the time for a statement, so that one that waits for a lock says so. */
const LOCK_SHARE = 0.8;
/** A shorter wait is not taken off, as to set another timeout takes a statement. */
const MIN_WAIT_MS = 100;
/** How long for a database that says nothing at all, and so ends no statement itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How often a transaction is made that others are in conflict with. */
const MAX_ATTEMPTS = 3;
const MAX_PAUSE_MS = 50;

/**
 * Opens a PostgreSQL database, version 15 or newer. Of several servers it uses the primary.
 *
 * @throws {DatabaseUnavailableError} when it does not answer.
 * @throws {DatabaseRefusedError} when it lets nobody in with this user, password and database.
 */
export async function openPostgres(url: string, options?: PostgresOptions): Promise<Database> {
  const database = createPostgres(url, options);
  try {
    await database.query('select 1');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** A PostgreSQL database that is connected to when it is used, and of which nothing is known before. */
export function createPostgres(url: string, options: PostgresOptions = DEFAULT_OPTIONS): Database {
  const servers = new PostgresServers(url);
  const session = {
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(STATEMENT_TIMEOUT_MS * LOCK_SHARE),
  };
  const pool = servers.pool({ size: options.requests, session, idleMs: options.idleMs });
  // While requests have all other connections, the database is still there.
  const checks = servers.pool({ size: 1, session });
  const lists = copiedLists({
    servers,
    replica: options.replica,
    size: options.lists,
    primaryPosition: async () => (await database.query<PrimaryPosition>(primaryPosition))[0],
  });
  const commits = createCommitSignal(servers, (statement) => run({}, (queries) => queries.query(statement)));
  const disk = createDiskCheck();

  /** Draws conclusions from a failure about the servers and the disk. */
  async function watch<Result>(attempt: Promise<Result>): Promise<Result> {
    try {
      return await disk.watch(attempt);
    } catch (error) {
      if (mayBeBroken(error)) servers.doubt();
      throw error;
    }
  }

  /** Runs `work` on a connection, which is closed after a failure that may be the connection's. */
  async function run<Result>(
    turn: Turn,
    work: (queries: Queries) => Promise<Result>,
    { isTransaction = false, connections = pool } = {},
  ): Promise<Result> {
    let broken = false;
    const maxWaitMs = turn.long ? undefined : STATEMENT_TIMEOUT_MS;
    const { client, waitedMs, release } = await available(connections.connect({ ...turn, maxWaitMs }));
    const isLate = !turn.long && turn.clientId !== undefined && waitedMs > MIN_WAIT_MS;
    const timeoutMs = isLate ? Math.max(1, Math.round(STATEMENT_TIMEOUT_MS - waitedMs)) : (maxWaitMs ?? 0);
    try {
      if (isTransaction || isLate) return await transact(client, work, timeoutMs);
      return await work(queriesOn(client, ANSWER_TIMEOUT_MS));
    } catch (error) {
      broken = mayBeBroken(error) || client.getTransactionStatus() !== 'I';
      const isTimeout = error instanceof DatabaseUnavailableError && error.reason === 'statementTimeout';
      throw isLate && isTimeout ? new DatabaseUnavailableError({ reason: 'waitTimeout', cause: error }) : error;
    } finally {
      release(broken || (statementNames.get(client)?.size ?? 0) >= MAX_NAMED_STATEMENTS);
    }
  }

  const database: Database = {
    isSerial: false,
    query: (text, values, requester) => watch(run({ ...requester }, (queries) => queries.query(text, values))),
    async transaction(work, { long = false, requester } = {}) {
      for (let attempt = 1; ; attempt++) {
        // oxlint-disable no-await-in-loop -- each attempt after the one before has failed
        try {
          const result = await watch(run({ ...requester, long }, work, { isTransaction: true }));
          commits.announce();
          return result;
        } catch (error) {
          const isConflict = error instanceof DatabaseUnavailableError && error.reason === 'conflict';
          if (!isConflict || error.mayBeStored || long || attempt === MAX_ATTEMPTS) throw error;
        }
        await setTimeout(Math.random() * MAX_PAUSE_MS);
        // oxlint-enable no-await-in-loop
      }
    },
    onCommit: commits.onCommit,
    async copy(rows) {
      const [target, text] = [copyTarget(rows), copyText(rows)];
      const lease = pool.connect({ maxWaitMs: STATEMENT_TIMEOUT_MS });
      await watch(available(lease.then((connection) => copyRows(connection, target, text))));
    },
    list: listsOf(async function* readElements(...list) {
      try {
        yield* lists.readElements(...list);
      } catch (error) {
        await watch(Promise.reject(asUnavailable(error as Error)));
      }
    }),
    async vacuum() {
      // Autovacuum does it.
    },
    check: () =>
      disk.check({
        ...database,
        query: (text, values) => watch(run({}, (queries) => queries.query(text, values), { connections: checks })),
      }),
    pools: () => ({ requests: pool.state(), ...lists.pools() }),
    async close() {
      await commits.close();
      await Promise.all([pool.end(), lists.close(), checks.end()]);
    },
  };
  return database;
}

/** PostgreSQL's classes for a wrong user or password, and for a database that is not there. */
const refusingClasses = new Set(['28', '3D']);

/** @param timeoutMs of each statement; 0 for a long transaction, which has none */
async function transact<Result>(
  client: PoolClient,
  work: (transaction: Queries) => Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const transaction = queriesOn(client, timeoutMs === 0 ? undefined : ANSWER_TIMEOUT_MS);
  try {
    // Behind a pooler the settings of a session do not hold, so each transaction makes them.
    const isUsual = timeoutMs === STATEMENT_TIMEOUT_MS && !pooled.has(client);
    const [statement, lock] = [timeoutMs, Math.ceil(timeoutMs * LOCK_SHARE)];
    const limits = `set local statement_timeout = ${statement}; set local lock_timeout = ${lock}`;
    await transaction.query(isUsual ? 'begin' : `begin; ${limits}`);
    const result = await work(transaction);
    await commit(client, transaction);
    return result;
  } catch (error) {
    if (!mayBeBroken(error)) await transaction.query('rollback').catch(() => {});
    throw error;
  }
}

function queriesOn(client: PoolClient, timeoutMs: number | undefined): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      // Here and not by pg, so that it does not look like a failure of the connection when a value cannot be sent.
      const sent = values?.map((value) => prepareValue(value));
      const statement = {
        text,
        ...(sent && { values: sent }),
        // Those of a long transaction are planned for the values that they have; a pooler may have no named ones.
        ...(values && timeoutMs !== undefined && !pooled.has(client) && { name: statementName(client, text) }),
        query_timeout: timeoutMs,
      };
      const result: unknown = await available(client.query(statement));
      return (Array.isArray(result) ? [] : (result as QueryResult).rows) as Row[];
    },
  };
}

const { prepareValue } = (pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } })
  .utils;

/** A connection that keeps the plans of so many statements is closed: some texts differ by the grants of clients. */
const MAX_NAMED_STATEMENTS = 200;
const statementNames = new WeakMap<PoolClient, Map<string, string>>();

/** A named statement is parsed and planned once a connection, which is most of the work of a point read. */
function statementName(client: PoolClient, text: string): string {
  const names = statementNames.get(client) ?? new Map<string, string>();
  const name = names.get(text) ?? `hr-${names.size}`;
  statementNames.set(client, names.set(text, name));
  return name;
}

/** Of a commit that did not wait for the standby to its end: somebody has cancelled the wait, or stops the server. */
const localCommitStates = new Set(['01000', '57P01']);

async function commit(client: PoolClient, transaction: Queries): Promise<void> {
  let isLocal = false;
  const onNotice = ({ code = '' }: { readonly code?: string | undefined }): void => {
    isLocal ||= localCommitStates.has(code);
  };
  client.on('notice', onNotice);
  try {
    await transaction.query('commit');
  } catch (error) {
    const { cause } = error as Error;
    // The server says itself that it is rolled back. Anything worse than an error may come after the commit.
    const isRolledBack =
      cause instanceof DatabaseError && cause.severity === 'ERROR' && cause.code !== COMPLETION_UNKNOWN;
    if (!(error instanceof DatabaseUnavailableError) || isRolledBack) throw error;
    // It may wait for a standby that is gone, and would keep its connection on the server for as long.
    if (!(cause instanceof DatabaseError)) cancel(client);
    // The server may have done it and only the answer got lost.
    throw new DatabaseUnavailableError({ reason: error.reason, cause, mayBeStored: true });
  } finally {
    client.off('notice', onNotice);
  }
  if (isLocal) throw new DatabaseUnavailableError({ reason: 'notReplicated', mayBeStored: true });
}

const COMPLETION_UNKNOWN = '40003';

const CANCEL_REQUEST = 80_877_102;

/** Ends what runs on a connection that is given up. The server takes this request on a connection of its own. */
function cancel(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Client & Record<'processID' | 'secretKey', number>;
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => {}).setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
  socket.end(request);
}

const breakingReasons = new Set(['unreachable', 'stopping', 'readOnly']);

/** Whether the connection of a failed statement is not to be used again: the server is silent, gone or no primary. */
function mayBeBroken(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && (error.mayBeStored || breakingReasons.has(error.reason));
}

async function available<Result>(attempt: Promise<Result>): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The same error, or one that says what is wrong with the database where nothing is wrong with the statement itself. */
function asUnavailable<Thrown>(error: Thrown): Thrown | DatabaseUnavailableError | DatabaseRefusedError {
  if (error instanceof DatabaseUnavailableError || error instanceof TypeError) return error;
  if (error instanceof DatabaseError && refusingClasses.has(error.code?.slice(0, 2) ?? '')) {
    return new DatabaseRefusedError(error.code ?? '');
  }
  // A certificate that HR_DATABASE names.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open') return error;
  // What neither the server said nor our own code threw came from the connection.
  const reason = error instanceof DatabaseError ? reasonOfState(error.code) : 'unreachable';
  return reason === undefined ? error : new DatabaseUnavailableError({ reason, cause: error });
}
