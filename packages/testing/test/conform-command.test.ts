import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWrongCloud, type Fault, type Passing } from './conform-proxy.ts';
import { runCommand, startProgram, type Outcome } from './hr-contracts.ts';
import { newFolder } from './pact-file.ts';

const conform = ['conform', '--seed', '1'];

async function start(fault?: Fault) {
  const { fake, provider, options } = await startWrongCloud(fault);
  onTestFinished(() => provider.stop());
  const folder = await newFolder();
  const place = { folder, env: { HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret } };
  const program = (...args: readonly string[]) => startProgram([...conform, ...args], place);
  const command = (...args: readonly string[]) => runCommand([...conform, ...args], place);
  const person = fake.persons.list().find(({ bankDetails, address }) => bankDetails && address);
  return { fake, folder, program, command, baseUrl: options.baseUrl, id: person?.id ?? '' };
}

test('prints a report, and writes it as JUnit XML and HTML', async () => {
  const { program, folder, baseUrl } = await start();
  const { stdout, exit } = await program('--base-url', baseUrl, '--junit', 'a.xml', '--html', 'a.html').outcome;
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^Conforms: /);
  expect(await readFile(join(folder, 'a.xml'), 'utf8')).toMatch(/<testsuite name="section 2.1" tests="2" failures="0"/);
  expect(await readFile(join(folder, 'a.html'), 'utf8')).toMatch(/^<!doctype html>.*Conforms/s);
});

test('exits with 1 for a deviation, and prints JSON', async () => {
  const { command, baseUrl } = await start({ after: ({ json }) => void (json.token_type && delete json.token_type) });
  const { stdout, exit } = await command('--base-url', baseUrl, '--json');
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, interrupted: false });
});

test('exits with 2 for wrong arguments', async () => {
  const { command, baseUrl } = await start();
  const cases = [
    [],
    ['--base-url', 'nowhere'],
    ['--base-url', baseUrl, '--seed', 'x'],
    ['--base-url', baseUrl, '--wire-names', '[]'],
    ['--base-url', baseUrl, 'pacts'],
  ];
  const outcomes: Outcome[] = [];
  // oxlint-disable-next-line no-await-in-loop -- each has the standard output
  for (const args of cases) outcomes.push(await command(...args));
  expect(outcomes.map(({ exit }) => exit)).toEqual([2, 2, 2, 2, 2]);
  expect(outcomes.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    'conform needs --base-url.',
    '--base-url is not an http(s) URL.',
    '--seed is not a number of at most 9 digits.',
    '--wire-names is not a JSON object, such as {"listPersons":{"changedSince":"since"}}.',
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
  const { program, command, folder, fake, baseUrl, id } = await start(fault);
  const before = fake.persons.list();
  const { child, outcome } = program('--base-url', baseUrl, '--allow-writes', id);
  await isHeld;
  child.kill('SIGKILL');
  const { stderr } = await outcome;
  expect(stderr).toContain('Other addresses are not readable, so they are lost.');
  expect(fake.persons.list()).not.toEqual(before);
  const [file = ''] = await readdir(folder);
  expect(file).toMatch(/^\.hr-conform-127\.0\.0\.1_\d+\.json$/);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);

  const { stdout, exit } = await command('--base-url', baseUrl);
  expect(exit).toBe(0);
  expect(stdout).toContain(
    'An earlier run ended before its restore.\n\nThe first address and the bank details of the person are restored.',
  );
  expect(fake.persons.list()).toEqual(before);
  expect(await readdir(folder)).toEqual([]);
});

test('a file that is not complete is from before the first write', async () => {
  const { command, folder, baseUrl } = await start();
  const file = join(folder, `.hr-conform-${new URL(baseUrl).host.replace(':', '_')}.json`);
  await writeFile(file, '{"id":"10001');
  const { stdout, exit } = await command('--base-url', baseUrl);
  expect(exit).toBe(0);
  expect(stdout).not.toContain('An earlier run');
  expect(await readdir(folder)).toEqual([]);
});

test('says why there is no response', async () => {
  const { command } = await start();
  const { stderr, exit } = await command('--base-url', 'http://127.0.0.1:2');
  expect(exit).toBe(1);
  expect(stderr).toBe(
    'http://127.0.0.1:2/api/oauth2/token: no token, got no complete response: ECONNREFUSED. Check the client id, the client secret and the base URL.\n',
  );
});

test('Ctrl-C restores, prints what was found, and exits with 130', async () => {
  const { isHeld, fault } = holding();
  const { program, folder, fake, baseUrl, id } = await start(fault);
  const before = fake.persons.list();
  const { child, outcome } = program('--base-url', baseUrl, '--allow-writes', id);
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
  const { command, folder, fake, baseUrl, id } = await start({
    before: (passing) => isRestore(passing) && (passing.sent = null),
  });
  original.iban = fake.persons.list().find((person) => person.id === id)?.bankDetails?.iban;
  const { stdout, exit } = await command('--base-url', baseUrl, '--allow-writes', id);
  expect(exit).toBe(1);
  expect(stdout).toContain('The person is not restored: status 400.');
  expect(await readdir(folder)).toHaveLength(1);
});
