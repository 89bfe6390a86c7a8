import { setTimeout } from 'node:timers/promises';
import { Client, DatabaseError, Pool, type ClientBase, type Connection, type PoolClient } from 'pg';
import { Admission, type Turn } from './admission.ts';
import type { PoolState } from './database.ts';
import { DatabaseUnavailableError } from './database-errors.ts';
import { serverUrls } from './postgres-url.ts';

const CONNECT_TIMEOUT_MS = 5000;
const DEFAULT_IDLE_MS = 10_000;
const FIND_TIMEOUT_MS = 3000;
/** An earlier primary that was started again may be the first to respond. The others have this long to respond, too. */
const OTHERS_TIMEOUT_MS = 300;

/** A connection until it is released. */
export interface Lease {
  readonly client: PoolClient;
  /** How long its turn took to come. */
  readonly waitedMs: number;
  /** Whether somebody waits who would get it. */
  readonly isAwaited: () => boolean;
  /** @param broken whether it cannot be used again */
  readonly release: (broken: boolean) => void;
}

/** What each connection of a pool is like. */
export interface PoolSettings {
  readonly size: number;
  /** Settings of PostgreSQL. */
  readonly session: Readonly<Record<string, string>>;
  /** How long one rests before it closes. Default: 10 seconds. */
  readonly idleMs?: number | undefined;
}

/** The servers of a PostgreSQL database. One of them is the primary; after a failover it is another one. */
export class PostgresServers {
  readonly #urls: readonly string[];
  #primaryUrl: string;
  /** Each promotion begins a new timeline. */
  #timeline = 0;
  #finding: Promise<void> | undefined;
  readonly #clients = new Set<ServerClient>();

  constructor(url: string) {
    const urls = serverUrls(url);
    if (!urls) throw new TypeError('The address of the database is not valid.');
    [this.#primaryUrl] = urls;
    this.#urls = urls;
  }

  /**
   * Opens a pool of connections to the primary. After a failover, those to the former primary are closed. To connect fails
   * with a {@link DatabaseUnavailableError} if all connections stay in use, or no server takes writes.
   */
  pool({ size, session, idleMs }: PoolSettings) {
    const primaryUrl = (): string => this.#primaryUrl;
    class PrimaryClient extends ServerClient {
      constructor() {
        super(primaryUrl());
      }
    }
    const pool = openPool({ max: size, Client: PrimaryClient, idleTimeoutMillis: idleMs ?? DEFAULT_IDLE_MS });
    pool.on('connect', (client) => this.#clients.add(asServerClient(client)));
    pool.on('remove', (client) => this.#clients.delete(asServerClient(client)));
    const configured = new WeakSet<PoolClient>();
    const open = async (): Promise<PoolClient> => {
      // The first host that responds may be a former primary.
      if (this.#urls.length > 1 && this.#timeline === 0) await this.#find();
      const client = await pool.connect();
      if (configured.has(client)) return client;
      try {
        await this.#configure(client, session);
      } catch (error) {
        client.release(true);
        throw error;
      }
      configured.add(client);
      return client;
    };

    return inTurns(pool, size, async () => {
      for (;;) {
        // oxlint-disable no-await-in-loop -- until it leads to the primary
        const client = await open().catch(async (error: unknown) => {
          if (this.#urls.length === 1) throw error;
          await this.#find();
          return open();
        });
        // oxlint-enable no-await-in-loop
        if (asServerClient(client).url === this.#primaryUrl) return client;
        client.release(true);
      }
    });
  }

  /** Looks whether the primary is another server now, after a connection to it has failed. */
  doubt(): void {
    if (this.#urls.length > 1) this.#find().catch(() => {});
  }

  /** @throws {DatabaseUnavailableError} if the server of a new connection is a standby, or a former primary. */
  async #configure(client: ClientBase, session: PoolSettings['session']): Promise<number> {
    const { isStandby, timeline } = await configure(client, session, this.#urls.length > 1);
    if (isStandby || timeline < this.#timeline) throw new DatabaseUnavailableError({ reason: 'readOnly' });
    this.#timeline = timeline;
    return timeline;
  }

  #find(): Promise<void> {
    this.#finding ??= this.#findPrimary().finally(() => (this.#finding = undefined));
    return this.#finding;
  }

  async #findPrimary(): Promise<void> {
    const primaries: { readonly url: string; readonly timeline: number }[] = [];
    const asked = this.#urls.map(async (connectionString) => {
      const client = new Client({ connectionString, connectionTimeoutMillis: FIND_TIMEOUT_MS });
      client.on('error', () => {});
      try {
        await client.connect();
        primaries.push({ url: connectionString, timeline: await this.#configure(client, {}) });
      } finally {
        void client.end().catch(() => {});
      }
    });
    try {
      await Promise.any(asked);
    } catch (error) {
      throw mostTelling((error as AggregateError).errors);
    }
    await Promise.race([Promise.allSettled(asked), setTimeout(OTHERS_TIMEOUT_MS)]);
    const [newest] = primaries.toSorted((one, other) => other.timeline - one.timeline);
    if (newest) this.#primaryUrl = newest.url;
    for (const client of this.#clients) if (client.url !== this.#primaryUrl) client.destroy();
  }
}

/** A connection to one of the servers. */
class ServerClient extends Client {
  readonly url: string;

  constructor(url: string) {
    super({ connectionString: url, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    this.url = url;
  }

  /** Closes the connection at once: a server that is silent would never agree. */
  destroy(): void {
    (this as unknown as { readonly connection: Connection }).connection.stream.destroy();
  }
}

/** Each client of these pools is one. */
function asServerClient(client: PoolClient): ServerClient {
  return client as unknown as ServerClient;
}

/** A wrong password tells more than a standby, and a standby more than a server that does not run. */
function mostTelling(errors: readonly unknown[]): unknown {
  return (
    errors.find((error) => error instanceof DatabaseError) ??
    errors.find((error) => error instanceof DatabaseUnavailableError) ??
    errors[0]
  );
}

/** A pool whose connections are given out in turns. */
export function inTurns(pool: Pool, size: number, open: () => Promise<PoolClient>) {
  const admission = new Admission(size);
  return {
    async connect(turn?: Turn): Promise<Lease> {
      const { waitedMs, leave } = await admission.enter(turn);
      try {
        const client = await open();
        return {
          client,
          waitedMs,
          isAwaited: () => admission.isAwaited(turn?.clientId),
          release: (broken) => {
            client.release(broken);
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    state: (): PoolState => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: admission.waiting }),
    end: () => pool.end(),
  };
}

/** A pool whose connections may break while they rest. */
export function openPool(settings: ConstructorParameters<typeof Pool>[0]): Pool {
  // A connection that breaks fails the statement that runs on it, or else the next one; without listeners for the
  // ones at rest, in the pool or between two statements of a transaction, it would end the process.
  return new Pool({ keepAlive: true, ...settings })
    .on('error', () => {})
    .on('connect', (client) => client.on('error', () => {}));
}

/** SQL for the timeline of a primary. */
export const primaryTimeline = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`;

/** Connections through a pooler such as PgBouncer, so that two statements may run in two sessions. */
export const pooled = new WeakSet<ClientBase>();

/**
 * Makes the settings of a session on a new connection, and tells what server it leads to. Behind a pooler it makes none,
 * as they would be those of any other client, too.
 */
export async function configure(
  client: ClientBase,
  session: PoolSettings['session'],
  withTimeline = false,
): Promise<{ readonly isStandby: boolean; readonly timeline: number }> {
  // A pooler gives its clients process ids of its own.
  const { processID } = client as ClientBase & { readonly processID: number };
  const isOther = `pg_backend_pid() <> ${processID}`;
  const settings = Object.entries(session).map(([name, value]) => `, set_config('${name}', '${value}', ${isOther})`);
  const timeline = withTimeline ? `case when pg_is_in_recovery() then 0 else ${primaryTimeline} end` : '0';
  const statement = {
    text: `select pg_is_in_recovery() as "isStandby", ${timeline} as timeline, ${isOther} as "isPooled" ${settings.join(' ')}`,
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ isStandby: boolean; timeline: number; isPooled: boolean }>(statement);
  const [server] = rows;
  if (!server) throw new TypeError('PostgreSQL gave no row.');
  if (server.isPooled) pooled.add(client);
  return server;
}
