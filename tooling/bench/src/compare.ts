import { readAll } from './read-all.ts';
import type { Load } from './read-all.ts';
import type { TwoServers } from './two-servers.ts';

const PAIRS = 20;
const ROUND_SECONDS = 1;
const FIRST_ROUND_SECONDS = 4;

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
    // What drifts from one round to the next meets both alike.
    const first = await round('audited', reads);
    const unaudited = sum(await round('unaudited', reads), await round('unaudited', reads));
    pairs.push({ audited: sum(first, await round('audited', reads)), unaudited });
  }
  // oxlint-enable no-await-in-loop
  return { reads: 2 * reads, pairs };
}

function sum(one: Round, other: Round): Round {
  return { seconds: one.seconds + other.seconds, cpuSeconds: one.cpuSeconds + other.cpuSeconds };
}
