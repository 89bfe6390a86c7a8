import { readAll } from './read-all.ts';
import type { Load } from './read-all.ts';
import type { TwoServers } from './two-servers.ts';

const TURNS = 20;
const ROUND_SECONDS = 1;
const FIRST_ROUND_SECONDS = 4;

export type Server = 'audited' | 'unaudited';

/** What the reads of a round took. */
export interface Round {
  readonly seconds: number;
  /** Time of the processor that the process of the servers used. */
  readonly cpuSeconds: number;
}

/** What came out: as many reads in each round, and as many rounds of each server. */
export interface Comparison {
  readonly reads: number;
  readonly rounds: Readonly<Record<Server, readonly Round[]>>;
}

/** Lets both servers answer the same reads, round after round in turn, so that whatever else the machine does meets both. */
export async function compare(servers: TwoServers, load: Omit<Load, 'reads'>): Promise<Comparison> {
  // oxlint-disable no-await-in-loop -- nothing else runs while something is measured
  async function round(server: Server, reads: number): Promise<Round> {
    const before = await servers.flush();
    const start = performance.now();
    await readAll(servers[server], servers.token, { ...load, reads });
    // What waits to be written belongs to the reads.
    const after = await servers.flush();
    return { seconds: (performance.now() - start) / 1000, cpuSeconds: after.cpuSeconds - before.cpuSeconds };
  }

  // Both get warm, and tell how many reads a round has.
  let reads = load.readers;
  for (let seconds = 0; seconds < FIRST_ROUND_SECONDS; reads *= 2) {
    await round('audited', reads);
    ({ seconds } = await round('unaudited', reads));
  }
  reads = Math.ceil(((reads / 2) * ROUND_SECONDS) / FIRST_ROUND_SECONDS);
  const rounds: Record<Server, Round[]> = { audited: [], unaudited: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    // What drifts from one round to the next meets both alike.
    for (const server of ['audited', 'unaudited', 'unaudited', 'audited'] as const) {
      rounds[server].push(await round(server, reads));
    }
  }
  // oxlint-enable no-await-in-loop
  return { reads, rounds };
}
