import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { homeFolder, runHr } from './run-hr.ts';

const secret = { HR_CLIENT_SECRET: 'demo-secret' };

async function twoProfiles(): Promise<{ HR_HOME: string }> {
  const env = { HR_HOME: await homeFolder() };
  const login = ['auth', 'login', '--base-url', inject('demoUrl'), '--client-id', 'demo'];
  for (const profile of ['first', 'second']) {
    // oxlint-disable-next-line no-await-in-loop -- both write the same file
    await runHr([...login, '--profile', profile], { env: { ...env, ...secret } });
  }
  return env;
}

test('profiles list shows each profile, and what makes one the default, but no secret', async () => {
  const env = await twoProfiles();
  const row = { baseUrl: inject('demoUrl'), clientId: 'demo' };
  const { code, stdout, stderr } = await runHr(['profiles', 'list', '-o', 'json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `They are stored in ${join(env.HR_HOME, 'config.toml')}.\n` });
  expect(JSON.parse(stdout)).toEqual([
    { name: 'first', ...row, defaultBy: 'config.toml' },
    { name: 'second', ...row },
  ]);
  const csv = ['profiles', 'list', '-o', 'csv', '--fields', 'name,defaultBy'];
  const named = await runHr(csv, { env: { ...env, HR_PROFILE: 'second' } });
  expect(named.stdout).toBe('name,defaultBy\r\nfirst,\r\nsecond,HR_PROFILE\r\n');
});

test('profiles use sets the default', async () => {
  const env = await twoProfiles();
  expect(await runHr(['profiles', 'use', 'third'], { env })).toMatchObject({
    code: exitCodes.usage,
    stderr: expect.stringContaining('Its profiles: first, second.') as string,
  });
  const used = await runHr(['profiles', 'use', 'second', '-o', 'ndjson'], { env: { ...env, HR_PROFILE: 'first' } });
  expect(used).toMatchObject({
    code: 0,
    stderr: 'Commands use the profile second by default. HR_PROFILE is set, and has precedence.\n',
    stdout: expect.stringMatching(/"first".*"HR_PROFILE"}\n.*"second".*\n$/) as string,
  });
  const status = await runHr(['auth', 'status', '--json'], { env });
  expect(JSON.parse(status.stdout)).toMatchObject({ profile: 'second' });
  expect(await readFile(join(env.HR_HOME, 'config.toml'), 'utf8')).toContain('demo-secret');
});

test.skipIf(process.platform === 'win32')('a file with a secret that others can read is refused', async () => {
  const home = await homeFolder();
  const file = join(home, 'secret');
  await writeFile(file, 'demo-secret\n', { mode: 0o640 });
  const env = { HR_HOME: home, HR_BASE_URL: inject('demoUrl'), HR_CLIENT_ID: 'demo' };
  const status = ['auth', 'status', '--json', '--client-secret-file'];
  expect(await runHr([...status, file], { env })).toEqual({
    code: exitCodes.usage,
    stdout: '',
    stderr: `hr: ${file} contains a secret, but others can read it. Run: chmod 600 ${file}\n`,
  });
  const main = join(import.meta.dirname, '../src/main.ts');
  const inBash = (redirection: string) =>
    execFileSync(
      'bash',
      ['-c', `'${process.execPath}' --conditions=@hr/source '${main}' ${status.join(' ')} ${redirection}`],
      {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      },
    );
  // A pipe has modes that nobody can change, and standard input may be a file of others.
  for (const redirection of [`<(cat '${file}')`, `/dev/stdin < '${file}'`, `- < '${file}'`]) {
    expect(JSON.parse(inBash(redirection))).toMatchObject({ clientId: 'demo' });
  }
  await chmod(file, 0o600);
  expect(await runHr([...status, file], { env })).toMatchObject({ code: 0 });
});
