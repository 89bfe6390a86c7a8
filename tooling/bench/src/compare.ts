import { readAll } from './read-all.ts';
import type { Load } from './read-all.ts';
import type { TwoServers } from './two-servers.ts';

const PAIRS = 40;
const ROUND_SECONDS = 0.5;
const FIRST_ROUND_SECONDS = 2;

/** What the same reads took of each server. */
export type Pair = Readonly<Record<Server, Round>>;

type Server = 'audited' | 'unaudited';

interface Round {
  readonly seconds: number;
  /** Time of the processor that the process of the servers used. */
  readonly cpuSeconds: number;
}

/** What came out: as many reads in each round. */
export interface Comparison {
  readonly reads: number;
  readonly pairs: readonly Pair[];
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
  const pairs: Pair[] = [];
  while (pairs.length < PAIRS) {
    if (pairs.length % 2 === 0) {
      const audited = await round('audited', reads);
      pairs.push({ audited, unaudited: await round('unaudited', reads) });
    } else {
      const unaudited = await round('unaudited', reads);
      pairs.push({ audited: await round('audited', reads), unaudited });
    }
  }
  // oxlint-enable no-await-in-loop
  return { reads, pairs };
}
