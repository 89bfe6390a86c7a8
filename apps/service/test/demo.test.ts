import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import type { Person } from '@hr/schemas';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { main, run, runJson, start } from './command-line.ts';
import { bareDatabase } from './drivers.ts';
import { loadedPackages, recordPackages } from './loaded-packages.ts';
import { shortLived } from './short-lived.ts';

const UNTIL = '2026-12-30';
const NEW_YEAR = '2027-01-05';

interface StartedDemo {
  readonly child: ChildProcess;
  readonly printed: string;
}

/** Starts the demo and gives what it prints. */
async function startDemo(env: Record<string, string>, cwd: string, until = UNTIL): Promise<StartedDemo> {
  const child = start(['demo', '--until', until], { HR_PORT: '0', ...env }, cwd);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes('Ctrl-C')) return { child, printed };
  }
  throw new Error(`It did not start (${child.exitCode ?? child.signalCode}): ${printed}`);
}

/** Runs a printed command as it stands, but for the way to the package manager. */
async function shell(command: string, cwd: string): Promise<string> {
  const service = [process.execPath, ...shortLived, '--conditions=@hr/source', main].join(' ');
  const child = spawn('bash', ['-c', command.replace('npx pnpm@12 --silent service', service)], { cwd });
  return text(child.stdout);
}

/** Runs the commands that a demo prints, and starts it again. */
async function expectDemoToWork(env: Record<string, string>, cwd: string): Promise<void> {
  // PostgreSQL may have several demos at once.
  const startDemos = (until: string): Promise<StartedDemo[]> =>
    Promise.all(Array.from({ length: 'HR_DATABASE' in env ? 2 : 1 }, () => startDemo(env, cwd, until)));
  const [{ child, printed }, ...others] = (await startDemos(UNTIL)) as [StartedDemo];
  await Promise.all(others.map(stop));
  const kept = '\nChanges are kept. To start afresh, stop the demo and delete .data/demo.\n';
  expect(printed.includes(kept)).toBe(!('HR_DATABASE' in env));
  const [list = '', decide = ''] = printed
    .split(/^ {2}# .*\n/m)
    .slice(1)
    .map((lines) => lines.split('\n\n')[0] ?? '');
  const [waiting = '', approve = ''] = decide.split('\n');
  const { HR_DATABASE = `pglite:${join(cwd, '.data/demo')}` } = env;
  const operate = async (command: string): Promise<string> =>
    (await run(command.split(' service ')[1]?.split(' ') ?? [], { HR_DATABASE })).stdout;
  expect(await shell(list, cwd)).toMatch(/^\[\{"id":"/);
  const persons = JSON.parse(await shell(list.replace(' | head -c 1000', ''), cwd)) as Person[];
  const customFields = persons.flatMap((person) => (person.customFields ?? []).map(({ name }) => name));
  expect(new Set(customFields)).toEqual(new Set(['Fahrerlaubnisklassen', 'Parkausweis']));
  const [, page = ''] = /^ {2}Docs +(\S+)$/m.exec(printed) ?? [];
  expect((await fetch(page)).headers.get('content-type')).toMatch('text/html');
  const [, first] = (await operate(waiting)).split('\n');
  const id = first?.split(' ')[0] ?? '';
  // The folder of the demo is named relative to where the command runs.
  const approved = 'HR_DATABASE' in env ? await operate(approve) : await shell(approve.trim(), cwd);
  expect(approved).toBe(`Payment ${id} is approved.\n`);
  const disabled = await run(['clients', 'disable', 'operator'], { HR_DATABASE });
  expect(disabled.stdout).toMatch(/^Client operator is disabled/);
  await stop({ child });

  const packages = join(cwd, 'packages');
  const again = await startDemo({ ...env, HR_METRICS_PORT: '0', ...recordPackages(packages) }, cwd);
  const [, metrics = ''] = /^ {2}Metrics +(\S+)$/m.exec(again.printed) ?? [];
  expect((await fetch(metrics)).status).toBe(200);
  const payments = await runJson<{ id: string }[]>(['payments', 'list'], { HR_DATABASE });
  expect(payments.find((payment) => payment.id === id)).toMatchObject({ state: 'approved' });
  await stop(again);
  // The fixtures are needed only to load the company.
  expect(await loadedPackages(packages)).not.toContain('testing');

  const demos = await startDemos(NEW_YEAR);
  const days = await daysOf(demos[0] as StartedDemo);
  expect(days.at(-1)).toBe(NEW_YEAR);
  // Which payments there are then is in feed-demo.test.ts.
  const paid = await runJson<Record<string, string>[]>(['payments', 'list'], { HR_DATABASE });
  const keys = paid.map((payment) => `${payment['payrollContractId']} ${payment['billingPeriod']}`);
  expect(new Set(keys).size).toBe(keys.length);
  await Promise.all(demos.map(stop));

  // The clock is set back.
  const earlier = await startDemo(env, cwd);
  expect(await daysOf(earlier)).toEqual(days);
  await stop(earlier);
}

/** The days of all persons with bookings. */
async function daysOf({ printed }: StartedDemo): Promise<string[]> {
  const [baseUrl = ''] = /http:\S+/.exec(printed) ?? [];
  const auth = clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' });
  const persons = await createHrClient({ baseUrl, auth }).time.bookings({ from: UNTIL });
  return persons.flatMap(({ days }) => days.map(({ date }) => date));
}

async function stop({ child }: Pick<StartedDemo, 'child'>): Promise<void> {
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

describe('the demo has commands that work, and a second start keeps what they changed', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'hr-demo-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  test('on PostgreSQL', async () => {
    await expectDemoToWork({ HR_DATABASE: (await bareDatabase('postgres')).url }, cwd);
  });

  test('on its own folder, and starts afresh if it was killed while it loaded', async () => {
    const folder = join(cwd, '.data/demo');
    const data = join(folder, 'pglite');
    await cp(inject('pgliteFolders').empty, folder, { recursive: true });
    const mark = join(folder, 'demo-version');
    await writeFile(mark, 'of another version');
    const log = join(data, 'pg_wal/000000010000000000000001');
    const { mtimeMs: before } = await stat(log);
    // By another name than its own, the demo loads the company into the folder as it is.
    const killed = start(['demo'], { HR_PORT: '0', HR_DATABASE: `pglite:${folder}` }, cwd);
    await expect.poll(async () => (await stat(log)).mtimeMs).toBeGreaterThan(before);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(existsSync(mark)).toBe(false);

    // It is there only as long as the data are not emptied.
    const trace = join(data, 'trace');
    await writeFile(trace, '');
    await expectDemoToWork({}, cwd);
    expect(existsSync(trace)).toBe(false);
  });
});
