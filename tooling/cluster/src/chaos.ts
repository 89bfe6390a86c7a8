import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { faults, type Fault, type Pick } from './faults.ts';
import { brokenLaws } from './laws.ts';
import { Load } from './load.ts';
import { isRoot } from './places.ts';

const CALM_MS = 8000;

interface Happened {
  readonly fault: Fault;
  /** Seconds without one successful read or write. */
  readonly withoutReads: number;
  readonly withoutWrites: number;
}

/** Breaks the parts of a cluster one after the other at random, under load, and checks that nothing acknowledged is lost. */
export async function chaos(minutes: number, seed: number, report: (line: string) => void): Promise<void> {
  if (!isRoot)
    throw new Error(
      'Run it as root: each machine gets a network of its own, to be cut off, and a small disk, to be filled.',
    );
  report(`Seed ${seed}`);
  await using cluster = await Cluster.start(report, { hasJumpingClocks: true });
  report('Starting programs that read, write, import, follow and listen');
  await using load = await Load.start(cluster);
  const pick = seededPick(seed);
  const happened: Happened[] = [];
  const end = Date.now() + minutes * 60_000;
  // oxlint-disable no-await-in-loop -- one fault after the other
  for (let next: Fault[] = []; Date.now() < end;) {
    if (next.length === 0) next = shuffled(faults, pick);
    const fault = next.pop();
    if (!fault) break;
    await sleep(CALM_MS);
    const from = Date.now();
    await fault.happen(cluster, pick);
    await cluster.untilReplicated();
    await cluster.untilServed();
    await sleep(CALM_MS);
    const to = Date.now();
    const [withoutReads, withoutWrites] = [load.lastRead, load.lastWrite].map((times) =>
      longestGap(times, from, to),
    ) as [number, number];
    happened.push({ fault, withoutReads, withoutWrites });
    report(`${happened.length}. ${fault.name}: ${withoutReads} s without reads, ${withoutWrites} s without writes`);
  }
  // oxlint-enable no-await-in-loop
  await load.stop();
  report('Comparing what was acknowledged with what is there');
  const broken = [...(await brokenLaws(cluster, load)), ...unexpected(load, happened)];
  process.stdout.write(`${table(happened)}\nDone: ${JSON.stringify(load.counts)}\n`);
  if (broken.length > 0) throw new Error(`Seed ${seed} has shown:\n${broken.slice(0, 50).join('\n')}`);
}

/** Failures that retries did not cover, and faults that lasted longer than stated. */
function unexpected(load: Load, happened: readonly Happened[]): string[] {
  const long = happened.filter(
    ({ fault, withoutReads, withoutWrites }) => Math.max(withoutReads, withoutWrites) > fault.allowed,
  );
  return [
    ...load.failures.map(({ at, what }) => `${new Date(at).toISOString()} ${what}`),
    ...long.map(
      ({ fault, withoutReads, withoutWrites }) =>
        `${fault.name}: ${withoutReads} and ${withoutWrites} s instead of ${fault.allowed}.`,
    ),
  ];
}

const range = (seconds: readonly number[]): string =>
  `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;

/** The longest time without a success, in seconds. */
function longestGap(successes: readonly number[], from: number, to: number): number {
  const times = [from, ...successes.filter((time) => time > from && time < to), to];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time))) / 1000;
}

function table(happened: readonly Happened[]): string {
  const groups = Map.groupBy(happened, ({ fault }) => fault);
  const rows = [...groups].map(([{ name }, times]) =>
    [
      name,
      times.length,
      range(times.map(({ withoutReads }) => withoutReads)),
      range(times.map(({ withoutWrites }) => withoutWrites)),
    ].join(' | '),
  );
  return ['fault | times | without reads | without writes', '- | - | - | -', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}

/** The same choices for the same seed, by mulberry32. */
function seededPick(seed: number): Pick {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (of) => of[Math.floor(random() * of.length)] as (typeof of)[number];
}

function shuffled<Element>(of: readonly Element[], pick: Pick): Element[] {
  const [rest, result] = [[...of], [] as Element[]];
  while (rest.length > 0) result.push(...rest.splice(rest.indexOf(pick(rest)), 1));
  return result;
}
