import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { program, runSuite, workspace } from './run-suite.ts';

const BERLIN = 'Europe/Berlin';

/** The moments at which all tests have to pass: a zone, and its time in a year. */
const moments: Record<string, readonly [zone: string, time: (year: number) => string]> = {
  '1-december': [BERLIN, () => '12-01T00:05'],
  '31-december': [BERLIN, () => '12-31T12:00'],
  'new-year': [BERLIN, () => '12-31T23:55'],
  '28-february': [BERLIN, (year) => (isLeap(year) ? '02-28T12:00' : 'none')],
  '29-february': [BERLIN, (year) => (isLeap(year) ? '02-29T12:00' : 'none')],
  'summer-time': [BERLIN, (year) => `03-${lastSunday(year, 3)}T01:55`],
  'winter-time': [BERLIN, (year) => `10-${lastSunday(year, 10)}T02:55`],
  // In both it is another year than in UTC.
  auckland: ['Pacific/Auckland', () => '01-01T08:00'],
  'los-angeles': ['America/Los_Angeles', () => '12-31T18:00'],
};

await program(async (print) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { date: { type: 'string' } } });
  const dates = chosen(Object.keys(moments), values.date === undefined ? [] : [values.date], 'date');
  const configs = globSync('{packages,apps,tooling}/*/vitest.config.ts', { cwd: workspace }).toSorted();
  const folders = new Map(configs.map((config) => [basename(dirname(config)), dirname(config)]));
  const suites = chosen([...folders.keys()], positionals, 'suite');
  if (spawnSync('faketime', ['--version']).error) {
    throw new Error('faketime is not installed. On Debian and Ubuntu, run: apt-get install faketime');
  }
  execFileSync('turbo', ['run', 'build', '--output-logs=errors-only'], { cwd: workspace, stdio: 'inherit' });
  const table: Record<string, Record<string, string>> = {};
  let allPassed = true;
  for (const date of dates) {
    for (const suite of suites) {
      const log = join(workspace, 'node_modules/.cache/test-dates', date, `${suite}.log`);
      const { zone, seconds } = clockOf(date);
      // An offset, as with a date each process would begin there anew.
      const through = ['faketime', '-f', `+${seconds}s`];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const result = await runSuite({ folder: folders.get(suite) ?? '', through, env: { TZ: zone }, log });
      allPassed &&= result.hasPassed;
      table[suite] = { ...table[suite], [date]: result.counts };
      print(`${date}, ${suite}: ${result.counts}${result.hasPassed ? '' : `: ${log}`}`);
    }
  }
  // oxlint-disable-next-line no-console -- it draws a table
  console.table(table);
  return allPassed;
});

function chosen(all: readonly string[], names: readonly string[], kind: string): readonly string[] {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${kind} "${unknown}". Name one of: ${all.join(', ')}.`);
  return names.length === 0 ? all : names;
}

/**
 * The zone of a date, and the seconds until it is next. It is never in the past, where PostgreSQL's time limits would
 * end what waits for a lock early: under faketime, its signal handlers see the real time.
 */
function clockOf(date: string): { zone: string; seconds: number } {
  const [zone, time] = moments[date] ?? [BERLIN, () => '01-01'];
  process.env['TZ'] = zone;
  let year = new Date().getFullYear();
  while (!(Date.parse(`${year}-${time(year)}`) > Date.now())) year++;
  return { zone, seconds: Math.round((Date.parse(`${year}-${time(year)}`) - Date.now()) / 1000) };
}

function isLeap(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
}

/** The day of a month on which the clocks change in Europe. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0));
  return last.getUTCDate() - last.getUTCDay();
}
