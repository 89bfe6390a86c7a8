import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, expect, test, vi } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';
import { openTerminal } from './terminal.ts';

const contract = '1000-20001';

async function demo(): Promise<{ env: Record<string, string> }> {
  return { env: demoEnvironment(await homeFolder()) };
}

test('login stores checked credentials, which the next commands use', async () => {
  const home = await homeFolder();
  const env = { HR_HOME: home };
  const secret = { env: { ...env, HR_CLIENT_SECRET: 'demo-secret' } };
  const login = ['auth', 'login', '--base-url', inject('demoUrl'), '--client-id', 'demo'];
  await expect(runHr(login, { env: { ...env, HR_CLIENT_SECRET: 'wrong' } })).resolves.toMatchObject({ code: 4 });
  await expect(stat(join(home, 'config.toml'))).rejects.toMatchObject({ code: 'ENOENT' });

  const { code, stderr } = await runHr(login, secret);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Logged in to ${inject('demoUrl')} as demo. Stored in the profile default.\nThe secret is in ${join(home, 'config.toml')}.\n`,
  });
  expect((await stat(join(home, 'config.toml'))).mode & 0o777).toBe(0o600);
  await expect(runHr(['auth', 'status', '--json'], { env }).then(({ stdout }) => JSON.parse(stdout))).resolves.toEqual({
    profile: 'default',
    baseUrl: inject('demoUrl'),
    clientId: 'demo',
    authentication: 'client_secret',
    idempotency: 'provider-supports',
    tokenExpiresAt: expect.stringMatching(/^\d{4}-/) as string,
  });
  await expect(runHr(['salary', 'history', contract], { env })).resolves.toMatchObject({ code: 0 });

  await runHr(['auth', 'logout'], { env });
  expect(await readFile(join(home, 'config.toml'), 'utf8')).not.toContain('demo-secret');
  await expect(runHr(['auth', 'status'], { env })).resolves.toMatchObject({
    code: exitCodes.authentication,
    stderr: expect.stringContaining('No client secret for demo. Run: hr auth login') as string,
  });
});

test('the secret of a profile goes to the address of the profile alone', async () => {
  const home = await homeFolder();
  const env = { HR_HOME: home };
  const profile = { base_url: inject('demoUrl'), client_id: 'demo', client_secret: 'demo-secret' };
  const toml = ['[profiles.default]', ...Object.entries(profile).map(([name, value]) => `${name} = "${value}"`)];
  await writeFile(join(home, 'config.toml'), toml.join('\n'), { mode: 0o600 });
  await expect(runHr(['auth', 'status'], { env })).resolves.toMatchObject({ code: 0 });
  await expect(runHr(['auth', 'status', '--base-url', 'https://example.com'], { env })).resolves.toMatchObject({
    code: exitCodes.authentication,
    stderr: expect.stringContaining('No client secret') as string,
  });
});

test('a file of profiles that others can read, or that is not valid, is refused', async () => {
  const home = await homeFolder();
  const file = join(home, 'config.toml');
  await writeFile(file, 'secret = ["demo-secret"', { mode: 0o600 });
  const invalid = await runHr(['auth', 'status'], { env: { HR_HOME: home } });
  expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} is not valid TOML`) as string });
  expect(invalid.stderr).not.toContain('demo-secret');
  for (const [content, place] of [
    ['[profiles.default]\nurl = "https://example.com"', 'profiles.default.url'],
    ['[profiles.default]\nbase_url = {}', 'profiles.default.base_url'],
    ['[profiles.default.client_secret]', 'profiles.default.client_secret'],
    ['[profiles.prod.eu]\nbase_url = "https://example.com"', 'profiles.prod.eu'],
    ['[profiles]\nprod = 1', 'profiles.prod'],
    ['profiles = "prod"', 'profiles'],
    ['default = 1', 'default'],
    ['[other]', 'other'],
  ]) {
    // oxlint-disable no-await-in-loop -- one content after the other
    await writeFile(file, content ?? '');
    await expect(runHr(['auth', 'status'], { env: { HR_HOME: home } })).resolves.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}: ${place}: not valid.`) as string,
    });
    // oxlint-enable no-await-in-loop
  }
  await chmod(file, 0o640);
  await expect(runHr(['auth', 'status'], { env: { HR_HOME: home } })).resolves.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Run: chmod 600 ${file}`) as string,
  });
});

test('the secret is read from a file or from standard input', async () => {
  const { env } = await demo();
  const { HR_CLIENT_SECRET, ...rest } = env;
  const file = join(env['HR_HOME'] ?? '', 'secret');
  await writeFile(file, `${HR_CLIENT_SECRET}\n`, { mode: 0o600 });
  await expect(runHr(['auth', 'status', '--client-secret-file', file], { env: rest })).resolves.toMatchObject({
    code: 0,
  });
  const fromStdin = runHr(['auth', 'status', '--client-secret-file', '-'], { env: rest, stdin: `${HR_CLIENT_SECRET}` });
  await expect(fromStdin).resolves.toMatchObject({ code: 0 });
  await expect(runHr(['auth', 'status', '--client-secret-file', '-'], { env: rest })).resolves.toMatchObject({
    code: 2,
  });
});

test.each([
  { args: ['persns'], code: exitCodes.usage, message: 'Did you mean persons?' },
  { args: ['salary', 'history', 'x', '--from', '2026-1'], code: exitCodes.usage, message: 'It must be a month' },
  { args: ['salary', 'history', 'unknown'], code: exitCodes.notFound, message: '404' },
  { args: ['api', 'api/v1/persons'], code: exitCodes.usage, message: 'must start with "/"' },
  { args: ['api', '@example.com/'], code: exitCodes.usage, message: 'must start with "/"' },
  { args: ['auth', 'status', '--profile', 'other'], code: exitCodes.usage, message: 'There is no profile other' },
  { args: ['auth', 'status', '--profile', '../x'], code: exitCodes.usage, message: 'is not the name of a profile' },
  {
    args: ['auth', 'status', '--base-url', 'http://127.0.0.1:2'],
    code: exitCodes.network,
    message: 'no complete response',
  },
  { args: ['auth', 'status', '--base-url', 'http://example.com'], code: exitCodes.usage, message: 'https' },
  { args: ['persons', 'set-bank', '100001'], stdin: '{', code: exitCodes.usage, message: 'is not valid JSON' },
  {
    args: ['persons', 'set-address', '100001'],
    stdin: '{"postalCode":"10115"}',
    code: exitCodes.usage,
    message: '/addresses/0/postalCode',
  },
])('hr $args ends with $code and says why', async ({ args, stdin = '', code, message }) => {
  const ended = await runHr(args, { ...(await demo()), stdin });
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string });
  expect(ended.stderr).not.toContain('demo-secret');
});

test.each([
  ['--status', 'ACTIV', /^hr: --status ACTIV: there is no such status\. The local copy has ACTIVE, INACTIVE\.\n$/],
  [
    '--group',
    'vertreib',
    /^hr: --group vertreib: there is no such group\. The local copy has .*, produktion, vertrieb\.\n$/,
  ],
])('an unknown %s is an error before anything is written', async (flag, value, message) => {
  const { env } = await demo();
  const out = join(env['HR_HOME'] ?? '', 'persons.csv');
  await writeFile(out, 'before');
  const wrong = await runHr(['persons', 'list', flag, value, '-o', 'csv'], { env });
  expect(wrong).toEqual({ code: exitCodes.usage, stdout: '', stderr: expect.stringMatching(message) as string });
  const exported = ['persons', 'export', flag, value, '--no-sync', '--out', out];
  expect(await runHr(exported, { env })).toMatchObject({ code: exitCodes.usage });
  expect(await readFile(out, 'utf8')).toBe('before');
});

test('a status and a group that go together with nobody are no error', async () => {
  const { env } = await demo();
  const nobody = ['persons', 'list', '--group', 'geschaeftsfuehrung', '--status', 'INACTIVE', '--json'];
  expect(await runHr(nobody, { env })).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('api prints the body as it is, and its status decides the exit code', async () => {
  const { env } = await demo();
  const listed = await runHr(['api', 'GET', '/api/v1/persons', '-f', 'changedSince=9999-12-31', '--include'], { env });
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^HTTP 200 OK\n[^]*\n\n\[\]$/) as string });
  const patch = { env, stdin: '{"unknown":1}' };
  const refused = await runHr(['api', 'PATCH', '/api/v1/persons/100001', '--input-file', '-'], patch);
  expect(refused).toMatchObject({
    code: exitCodes.rejected,
    stderr: 'hr: PATCH /api/v1/persons/100001: status 400\n',
  });
  expect(JSON.parse(refused.stdout)).toMatchObject({ status: 400, errors: [{ pointer: '/unknown' }] });
  await expect(runHr(['api', '/api/v1/unknown'], { env })).resolves.toMatchObject({ code: exitCodes.notFound });
});

test('login asks in a terminal, and hides the secret', async () => {
  const home = await homeFolder();
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const command = [process.execPath, '--conditions=@hr/source', main, 'auth', 'login'];
  await using terminal = openTerminal(command, { columns: 100, env: { HR_HOME: home } });
  await terminal.waitFor('Address of the HR Cloud');
  terminal.type(inject('demoUrl'));
  terminal.press('enter');
  await terminal.waitFor('Client id');
  terminal.type('demo');
  terminal.press('enter');
  await terminal.waitFor('Client secret');
  terminal.type('demo-secret');
  terminal.press('enter');
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.screen).toContain(`Logged in to ${inject('demoUrl')} as demo.`);
  expect(terminal.output).not.toContain('demo-secret');

  await using again = openTerminal(command, { columns: 100, env: { HR_HOME: home } });
  await again.waitFor('Address of the HR Cloud');
  again.press('ctrl-c');
  expect(await again.exitCode()).toBe(exitCodes.interrupted);
  expect(again.screen).toContain('Nothing was stored.');
  await expect(runHr(['auth', 'status'], { env: { HR_HOME: home } })).resolves.toMatchObject({ code: 0 });
});

test.each([
  [['sync'], /hr sync \[flags\] \[collections\.\.\.\][^]+default: persons\s+bookings/],
  [['persons', 'set-address'], /"postOfficeBox": "4711"/],
  [['persons', 'set-bank'], /"iban": "DE02120300000000202051"/],
  [['payments', 'submit'], /1000-20001;2026-12;2650;1234,50[^]+1.234,50 or 1,234.50/],
  [['api'], /\$ hr api PATCH/],
  [[], /HR_CLIENT_SECRET/],
])('the help of %j says what to write', async (command, expected) => {
  expect(await runHr([...command, '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(expected) as string,
  });
});

test('sync --watch keeps the local copy current until it is interrupted', async () => {
  const env = demoEnvironment(await homeFolder());
  const ending = new AbortController();
  const watching = runHr(['sync', 'persons', '--watch'], { env, signal: ending.signal });
  const copied = ['persons', 'get', '100007', '--no-sync', '--fields', 'bankDetails'];
  await vi.waitFor(async () => expect(await runHr(copied, { env })).toMatchObject({ code: 0 }), 20_000);
  const details = { iban: 'DE02120300000000202051', payee: 'By hr sync --watch' };
  const patch = ['api', 'PATCH', '/api/v1/persons/100007', '--input-file', '-', '--yes'];
  expect(await runHr(patch, { env, stdin: JSON.stringify({ bankDetails: details }) })).toMatchObject({ code: 0 });
  await vi.waitFor(async () => expect((await runHr(copied, { env })).stdout).toContain(details.payee), 20_000);
  ending.abort();
  const { code, stderr } = await watching;
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^persons: 300 added.*\npersons: 1 changed\.\n$/s)]);
});
