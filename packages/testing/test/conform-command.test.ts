import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startWrongCloud, type Fault, type Passing } from './conform-proxy.ts';
import { newFolder } from './pact-file.ts';

const bin = fileURLToPath(new URL('../bin/hr-contracts.js', import.meta.url));

async function start(fault?: Fault) {
  const { fake, provider, options } = await startWrongCloud(fault);
  onTestFinished(() => provider.stop());
  const folder = await newFolder();
  const env = { PATH: process.env['PATH'], HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
  const run = (...args: readonly string[]) => {
    const all = ['--conditions=@hr/source', bin, 'conform', '--seed', '1', ...args];
    const child = spawn(process.execPath, all, { cwd: folder, env });
    const outcome = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
      ([stdout, stderr, [exit]]) => ({ stdout, stderr, exit: exit as unknown }),
    );
    return { child, outcome };
  };
  const person = fake.persons.list().find(({ bankDetails, address }) => bankDetails && address);
  return { fake, folder, run, baseUrl: options.baseUrl, id: person?.id ?? '' };
}

test('prints a report, and writes it as JUnit XML and HTML', async () => {
  const { run, folder, baseUrl } = await start();
  const { stdout, exit } = await run('--base-url', baseUrl, '--junit', 'a.xml', '--html', 'a.html').outcome;
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^Conforms: /);
  expect(await readFile(join(folder, 'a.xml'), 'utf8')).toMatch(/<testsuite name="section 2.1" tests="2" failures="0"/);
  expect(await readFile(join(folder, 'a.html'), 'utf8')).toMatch(/^<!doctype html>.*Conforms/s);
});

test('exits with 1 for a deviation, and prints JSON', async () => {
  const { run, baseUrl } = await start({ after: ({ json }) => void (json.token_type && delete json.token_type) });
  const { stdout, exit } = await run('--base-url', baseUrl, '--json').outcome;
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, interrupted: false });
});

test('exits with 2 for wrong arguments', async () => {
  const { run, baseUrl } = await start();
  const cases = [
    [],
    ['--base-url', 'nowhere'],
    ['--base-url', baseUrl, '--seed', 'x'],
    ['--base-url', baseUrl, 'pacts'],
  ];
  const outcomes = await Promise.all(cases.map((args) => run(...args).outcome));
  expect(outcomes.map(({ exit }) => exit)).toEqual([2, 2, 2, 2]);
  expect(outcomes.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    'conform needs --base-url.',
    '--base-url is not an http(s) URL.',
    '--seed is not a number of at most 9 digits.',
    'conform takes no arguments.',
  ]);
});

/** Holds the response to the second patch, when the person has changed, and tells that it does. */
function holding() {
  const { promise: isHeld, resolve } = Promise.withResolvers<void>();
  let patches = 0;
  const fault: Fault = {
    after: (passing) => {
      if (passing.method !== 'PATCH' || passing.status !== 200 || ++patches !== 2) return;
      passing.isHeld = true;
      resolve();
    },
  };
  return { isHeld, fault };
}

test('a killed run is restored at the next start', async () => {
  const { isHeld, fault } = holding();
  const { run, folder, fake, baseUrl, id } = await start(fault);
  const before = fake.persons.list();
  const { child, outcome } = run('--base-url', baseUrl, '--allow-writes', id);
  await isHeld;
  child.kill('SIGKILL');
  const { stderr } = await outcome;
  expect(stderr).toContain('Other addresses are not readable, so they are lost.');
  expect(fake.persons.list()).not.toEqual(before);
  const [file = ''] = await readdir(folder);
  expect(file).toMatch(/^\.hr-conform-127\.0\.0\.1_\d+\.json$/);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);

  const { stdout, exit } = await run('--base-url', baseUrl).outcome;
  expect(exit).toBe(0);
  expect(stdout).toContain(
    'An earlier run ended before its restore.\n\nThe first address and the bank details of the person are restored.',
  );
  expect(fake.persons.list()).toEqual(before);
  expect(await readdir(folder)).toEqual([]);
});

test('a file that is not complete is from before the first write', async () => {
  const { run, folder, baseUrl } = await start();
  const file = join(folder, `.hr-conform-${new URL(baseUrl).host.replace(':', '_')}.json`);
  await writeFile(file, '{"id":"10001');
  const { stdout, exit } = await run('--base-url', baseUrl).outcome;
  expect(exit).toBe(0);
  expect(stdout).not.toContain('An earlier run');
  expect(await readdir(folder)).toEqual([]);
});

test('says why there is no response', async () => {
  const { run } = await start();
  const { stderr, exit } = await run('--base-url', 'http://127.0.0.1:2').outcome;
  expect(exit).toBe(1);
  expect(stderr).toBe(
    'http://127.0.0.1:2/api/oauth2/token: no token, got no complete response: ECONNREFUSED. Check the client id, the client secret and the base URL.\n',
  );
});

test('Ctrl-C restores, prints what was found, and exits with 130', async () => {
  const { isHeld, fault } = holding();
  const { run, folder, fake, baseUrl, id } = await start(fault);
  const before = fake.persons.list();
  const { child, outcome } = run('--base-url', baseUrl, '--allow-writes', id);
  await isHeld;
  child.kill('SIGINT');
  const { stdout, exit } = await outcome;
  expect(exit).toBe(130);
  expect(stdout).toMatch(/^Interrupted: [1-9]\d* of /);
  expect(stdout).toContain('Not tried, the run was interrupted:');
  expect(fake.persons.list()).toEqual(before);
  expect(await readdir(folder)).toEqual([]);
});

test('a person that cannot be restored fails the run, and the file stays', async () => {
  const original: { iban?: unknown } = {};
  const isRestore = ({ method, sent }: Passing): boolean =>
    method === 'PATCH' && sent?.bankDetails?.iban === original.iban;
  const { run, folder, fake, baseUrl, id } = await start({
    before: (passing) => isRestore(passing) && (passing.sent = null),
  });
  original.iban = fake.persons.list().find((person) => person.id === id)?.bankDetails?.iban;
  const { stdout, exit } = await run('--base-url', baseUrl, '--allow-writes', id).outcome;
  expect(exit).toBe(1);
  expect(stdout).toContain('The person is not restored: status 400.');
  expect(await readdir(folder)).toHaveLength(1);
});
