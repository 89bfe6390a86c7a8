import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, test } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { front } from './contracts/front.ts';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';

const { failure, usage } = exitCodes;
const main = join(import.meta.dirname, '../src/main.ts');

test('a local copy that cannot be read or brought up to date is an error with a remedy', async () => {
  const home = await homeFolder();
  const env = demoEnvironment(home);
  const absences = ['absences', 'list', '--no-sync'];
  // An empty list would mean that there are no absences.
  expect(await runHr(absences, { env })).toEqual({
    code: failure,
    stdout: '',
    stderr: 'hr: There is no local copy of persons and absences yet. Run: hr sync persons absences\n',
  });
  await runHr(['sync', 'persons'], { env });
  expect(await runHr(absences, { env })).toMatchObject({
    stderr: 'hr: There is no local copy of absences yet. Run: hr sync absences\n',
  });

  const list = ['persons', 'list', '--limit', '1', '--fields', 'id'];
  {
    using other = new DatabaseSync(join(home, 'default', 'mirror.db'));
    other.exec('BEGIN IMMEDIATE');
    const expected = { code: 0, stdout: '{"id":"100001"}\n' };
    expect(await runHr(list, { env })).toEqual({ ...expected, stderr: '' });
    expect(await runHr([...list, '--no-sync'], { env })).toEqual({ ...expected, stderr: '' });
    expect(await runHr([...list, '--max-age', '0'], { env })).toEqual({
      ...expected,
      stderr: expect.stringMatching(
        /^Another program is reading persons\. This is the local copy as of \S+Z\.\n$/,
      ) as string,
    });
  }

  const moved = { ...env, HR_BASE_URL: inject('demoUrl').replace('127.0.0.1', 'localhost') };
  expect(await runHr(['persons', 'list'], { env: moved })).toMatchObject({
    code: failure,
    stderr: expect.stringContaining('run: hr auth login --profile <name>\n') as string,
  });
});

test.each([
  [['persons', 'list', '--limit', 'all'], "argument 'all' is invalid. It must be a whole number above 0."],
  [['absences', 'list', '--from', '2026-1-9'], 'It must be a date such as 2026-01-31.'],
  [['salary', 'history', '--to', '2026-1'], 'It must be a month such as 2026-01.'],
  [['persons', 'set-bank', '100001', '--file', 'nowhere.json'], 'Cannot read nowhere.json: no such file or directory.'],
  [['payments', 'submit', '--file', 'nowhere.csv'], 'Cannot read nowhere.csv: no such file or directory.'],
  [['api', 'PATCH', '/', '--input-file', 'nowhere.json'], 'Cannot read nowhere.json: no such file or directory.'],
  [['auth', 'login', '--client-id', 'demo', '--client-secret-file', 'nowhere'], 'Cannot read nowhere: no such file'],
])('%j is wrong usage', async (args, message) => {
  const env = demoEnvironment(await homeFolder());
  expect(await runHr(args, { env })).toMatchObject({
    code: usage,
    stderr: expect.stringContaining(message) as string,
  });
});

test('an address in another encoding is not sent, because its letters would be wrong', async () => {
  const home = await homeFolder();
  const file = join(home, 'address.json');
  await writeFile(file, '{"street": "Lange Straße", "zipCode": "20095", "city": "Hamburg", "country": "DE"}', 'latin1');
  const change = ['persons', 'set-address', '100001', '--yes', '--file', file];
  expect(await runHr(change, { env: demoEnvironment(home) })).toMatchObject({
    code: usage,
    stderr: `hr: ${file}: it is not UTF-8. Save it as UTF-8, in a spreadsheet as "CSV UTF-8".\n`,
  });
});

test('in a script, a change does not print what it replaces', async () => {
  const home = await homeFolder();
  const stdin = '{"iban": "DE02120300000000202051"}';
  const change = ['persons', 'set-bank', '100002'];
  const env = demoEnvironment(home);
  expect((await runHr([...change, '--dry-run'], { env, stdin })).stderr).toContain('DE02120300000000202051');
  expect(await runHr([...change, '--yes'], { env, stdin })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Changed person 100002.\n',
  });
});

test('a written file is reported, whatever it contains', async () => {
  const home = await homeFolder();
  const out = join(home, 'salaries.csv');
  const { stderr } = await runHr(['salary', 'history', '1000-20001', '--to', '2026-03', '--out', out], {
    env: demoEnvironment(home),
  });
  const rows = (await readFile(out, 'utf8')).trim().split('\r\n').length - 1;
  expect(stderr).toBe(`Wrote ${rows} salaries to ${out}.\n`);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk behind the output is an error, one behind the log is none',
  async () => {
    await using full = await open('/dev/full', 'w');
    const env = { ...process.env, HR_HOME: await homeFolder() };
    const hr = (command: readonly string[], stdout: number | 'ignore', stderr: number | 'pipe') =>
      spawnSync(process.execPath, ['--conditions=@hr/source', main, ...command], {
        env,
        stdio: ['ignore', stdout, stderr],
        encoding: 'utf8',
      });
    expect(hr(['completion', 'bash'], full.fd, 'pipe')).toMatchObject({
      status: failure,
      stderr: 'hr: Cannot write the output (ENOSPC).\n',
    });
    expect(hr(['no-command'], 'ignore', full.fd)).toMatchObject({ status: usage });
  },
);

test('a list that is suspiciously short deletes nothing, until --allow-shrink', async () => {
  const hr = await front();
  const persons = ['1', '2', '3'].map((id) => ({ id }));
  await hr(['sync', 'persons'], undefined, { prepared: [{ body: persons }] });
  const short = { prepared: [{ body: persons.slice(1) }] };
  expect(await hr(['sync', 'persons', '--full'], undefined, short)).toMatchObject({
    code: failure,
    stderr: expect.stringMatching(
      /the list has 2 of the 3 persons .* If they were really deleted, pass --allow-shrink\.\n$/,
    ) as string,
  });
  expect(await hr(['persons', 'list', '--no-sync', '-o', 'csv', '--fields', 'id'])).toMatchObject({
    stdout: 'id\r\n1\r\n2\r\n3\r\n',
  });
  const allowed = await hr(['sync', 'persons', '--full', '--allow-shrink'], undefined, short);
  expect(allowed).toMatchObject({ code: 0, stderr: expect.stringContaining('1 deleted') as string });
});

test('a local copy of another source, or a damaged one, can be deleted', async () => {
  const home = await homeFolder();
  const env = demoEnvironment(home);
  const file = join(home, 'default', 'mirror.db');
  await runHr(['sync', 'persons'], { env });
  const moved = { ...env, HR_BASE_URL: inject('demoUrl').replace('127.0.0.1', 'localhost') };
  expect(await runHr(['sync', '--purge', '--yes'], { env: moved })).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  await writeFile(file, 'not a database', { mode: 0o600 });
  expect(await runHr(['sync', 'persons'], { env })).toMatchObject({ code: failure });
  expect(await runHr(['sync', '--purge', '--yes'], { env })).toMatchObject({ code: 0 });
  expect(await runHr(['sync', 'persons'], { env })).toMatchObject({ code: 0 });
});

test('api ends quietly when its reader has read enough', async () => {
  const env = { ...process.env, ...demoEnvironment(await homeFolder()) };
  const command = `'${process.execPath}' --conditions=@hr/source '${main}' api /api/v1/persons | head -c 10`;
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\[\{"id":/) as string, stderr: '' });
});
