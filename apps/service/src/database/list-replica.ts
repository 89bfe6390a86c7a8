import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Requester } from './database.ts';
import { DatabaseUnavailableError } from './database-errors.ts';
import { configure, inTurns, openPool, primaryTimeline, type Lease, type PoolSettings } from './postgres-servers.ts';

/** How long a list waits for a connection to the replica, and for what the replica has not replayed yet, each. */
const MAX_WAIT_MS = 500;
const POLL_MS = 10;
/** Lists do not try a replica that cannot be reached for so long. */
const PAUSE_MS = 10_000;

/** The server, by what a replica has in common with its primary alone, and the end of its write-ahead log. */
export interface PrimaryPosition {
  readonly server: string;
  readonly lsn: string;
}

const database = `(select oid from pg_database where datname = current_database())`;
const serverOf = (timeline: string): string =>
  `concat_ws('/', (select system_identifier from pg_control_system()), ${database}, ${timeline})`;

/** Gives the {@link PrimaryPosition}, on the primary. Everything that was committed before it is before that end. */
export const primaryPosition = `
  select ${serverOf(primaryTimeline)} as server,
    pg_current_wal_insert_lsn()::text as lsn`;

// A replica that still follows a former primary is on an earlier timeline, and may have replayed more than the new
// primary has written. One that follows the new primary notes it at its next restart point.
const isReplica = `pg_is_in_recovery() and $1 = ${serverOf(`greatest(
  (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()))`)}`;
const replicaState = `
  select ${isReplica} as "isReplica", coalesce(pg_last_wal_replay_lsn() >= $2::pg_lsn, false) as "hasAll"`;

/** Opens the connections to a standby for reading lists. It need not run. */
export function listReplica(connectionString: string, { size, session }: PoolSettings) {
  const connections = openPool({ connectionString, max: size, connectionTimeoutMillis: MAX_WAIT_MS });
  const pool = inTurns(connections, size, () => connections.connect());
  const configured = new WeakSet<PoolClient>();
  let pausedUntil = 0;

  async function hasAll(client: PoolClient, { server, lsn }: PrimaryPosition): Promise<boolean> {
    if (!configured.has(client)) await configure(client, session);
    configured.add(client);
    const deadline = performance.now() + MAX_WAIT_MS;
    const statement = { text: replicaState, values: [server, lsn], query_timeout: MAX_WAIT_MS };
    for (;;) {
      // oxlint-disable no-await-in-loop -- until it has replayed all
      const { rows } = await client.query<{ isReplica: boolean; hasAll: boolean }>(statement);
      const [state] = rows;
      if (!state?.isReplica) return false;
      if (state.hasAll || performance.now() > deadline) return state.hasAll;
      await setTimeout(POLL_MS);
      // oxlint-enable no-await-in-loop
    }
  }

  return {
    ...pool,
    /** A connection to it, if it has everything that the primary had at a position. */
    async connect(position: PrimaryPosition, requester: Requester): Promise<Lease | undefined> {
      if (performance.now() < pausedUntil) return undefined;
      let lease: Lease | undefined;
      try {
        lease = await pool.connect({ ...requester, maxWaitMs: MAX_WAIT_MS });
        if (await hasAll(lease.client, position)) return lease;
        lease.release(false);
      } catch (error) {
        lease?.release(true);
        // Otherwise it had no turn in time.
        if (!(error instanceof DatabaseUnavailableError)) pausedUntil = performance.now() + PAUSE_MS;
      }
      return undefined;
    },
  };
}
