import { existsSync, readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ciVariable } from '../src/pact/ci-variable.ts';
import { FILE, contract } from './absence-tests.ts';
import { startProgram } from './hr-contracts.ts';
import { newFolder } from './pact-file.ts';
import { kitFolder } from './vitest-project.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});

/** A file of tests of node:test, one interaction each. */
async function writeTests(
  persons: readonly string[],
  { consumer = 'payroll', example = '1', after = '' } = {},
): Promise<void> {
  const each = persons.map(
    (person) => `test('${person}', async () => {
  const expectation = {
    request: { path: { personId: '${person}' } }, example: [{ id: '${example}' }], description: 'absences of ${person}',
  };
  const { run } = hr.interaction('listAbsences', expectation);
  const send = ({ baseUrl, token }) =>
    fetch(baseUrl + '/api/v1/persons/${person}/absences', { headers: { authorization: 'Bearer ' + token } });
  ${after || 'await run(send);'}
});`,
  );
  const text = `import { test } from 'node:test';
import { consumer } from '${join(kitFolder, 'pact.js')}';
const hr = consumer({ name: '${consumer}' });
${each.join('\n')}
`;
  await writeFile(join(folder, `${consumer}.test.mjs`), text);
}

const runner = ['--test', '--test-reporter=dot', '*.test.mjs'];

/** Runs `hr-contracts write` for the tests of the folder, or for another command of Node.js. */
async function write(
  flags: readonly string[] = [],
  env: Record<string, string> = {},
  command: readonly string[] = runner,
): Promise<{ exit: unknown; output: string }> {
  const args = ['write', ...flags, '--', process.execPath, ...command];
  const { exit, stdout, stderr } = await startProgram(args, { folder, env }).outcome;
  return { exit, output: stdout + stderr };
}

const PLANNER = 'pacts/planner-hr-cloud.json';
const COPY = 'pacts/copy.json';
const written = (file = FILE): string => readFileSync(join(folder, file), 'utf8');
const has = (file: string): boolean => existsSync(join(folder, file));

test('tests of another runner write the contract that vitest writes, and keep it', async () => {
  await writeTests(['a', 'b']);
  expect(await write()).toMatchObject({ exit: 0, output: expect.stringContaining(`${FILE} written`) as string });
  expect(written()).toBe(await contract(['a', 'b']));

  await writeTests(['a'], { example: '2' });
  const { exit, output } = await write();
  expect(exit).toBe(1);
  expect(output).toContain(`${FILE} differs from the tests`);
  expect(output).toContain('Correct the tests, or add --update to write what they say.\n');
  expect(output).not.toContain('CI');
  expect(output).toContain('changed, as strong as before: absences of a (payroll.test.mjs)');
  expect(output).toContain('stale: absences of b (no test makes it)');
  expect(written()).toBe(await contract(['a', 'b']));

  expect(await write(['--update'], { CI: 'true' })).toMatchObject({ exit: 1 });
  expect(await write(['--update'])).toMatchObject({ exit: 0 });
  expect(written()).toBe(await contract(['a'], { example: '2' }));
  expect(await write([], { CI: 'true' })).toMatchObject({
    exit: 0,
    output: expect.stringContaining('is what the tests say') as string,
  });
});

test.each([
  ['a test that fails', "throw new Error('not understood');", 'The tests failed, so no contract is written.'],
  [
    'an interaction without a run',
    'void run;',
    'payroll: "absences of a" of payroll.test.mjs has no run in a passing test. Call run and await it.',
  ],
  [
    'a run that is not awaited',
    'void run(send);',
    'payroll: "absences of a" of payroll.test.mjs has no run in a passing test. Call run and await it.',
  ],
  [
    'an interaction without a run, beside one of the same description with other states,',
    `hr.interaction('listAbsences', { ...expectation, given: ['an absence', { personId: 'a', id: '1' }] });
     await run(send);`,
    'payroll: "absences of a" of payroll.test.mjs has no run in a passing test. Call run and await it.',
  ],
  [
    'an error that a test swallows',
    'await run(() => {}).catch(() => {});',
    'the code did not send the request of the contract.',
  ],
])('%s writes nothing', async (_what, after, message) => {
  await writeTests(['a'], { after });
  const { exit, output } = await write();
  expect(exit).toBe(1);
  expect(output).toContain(message);
  expect(has(FILE)).toBe(false);
});

test('a contract that no test makes is stale, and --update removes it', async () => {
  await writeTests(['a']);
  await writeTests(['b'], { consumer: 'planner' });
  expect(await write()).toMatchObject({ exit: 0 });
  expect(written(PLANNER)).toBe(await contract(['b'], { consumer: 'planner' }));

  await rm(join(folder, 'planner.test.mjs'));
  await copyFile(join(folder, PLANNER), join(folder, COPY));
  const { exit, output } = await write();
  expect(exit).toBe(1);
  for (const file of [PLANNER, COPY]) {
    const heading = `${file} has no tests. If its consumer has another name now, or it is a copy, delete it`;
    expect(output).toContain(`${heading}\n  stale: absences of b (no test makes it)\n`);
  }
  expect(output).not.toContain(FILE);
  expect(await write(['-u'])).toMatchObject({
    exit: 0,
    output: expect.stringContaining(`${PLANNER} removed`) as string,
  });
  expect([has(PLANNER), has(COPY), has(FILE)]).toEqual([false, false, true]);
});

const none = { exit: 1, output: 'The tests ran no interaction. Correct COMMAND.\n' };

test('a run without interactions fails, and makes all contracts stale', async () => {
  const nothing = ['--eval', '0'];
  expect(await write([], {}, nothing)).toEqual(none);
  await writeTests(['a']);
  await write();
  const { exit, output } = await write([], {}, nothing);
  expect(exit).toBe(1);
  expect(output).toContain('stale: absences of a (no test makes it)');
});

test('a run that fails, and passes when it is repeated, writes the contract', async () => {
  const after = `await run(() => {}).catch(() => {});
  await hr.interaction('listAbsences', expectation).run(send);`;
  await writeTests(['a'], { after });
  expect(await write()).toMatchObject({ exit: 0 });
  expect(written()).toBe(await contract(['a']));
});

test('--some compares what some tests say, and removes nothing', async () => {
  await writeTests(['a', 'b']);
  await writeTests(['c'], { consumer: 'planner' });
  await write();
  await rm(join(folder, 'planner.test.mjs'));
  await writeTests(['b', 'd']);
  expect(await write(['--some'])).toMatchObject({ exit: 0 });
  expect(written()).toBe(await contract(['a', 'b', 'd']));

  await writeTests(['b'], { example: '2' });
  const { exit, output } = await write(['--some']);
  expect(exit).toBe(1);
  expect(output).toContain('changed, as strong as before: absences of b');
  expect(output).not.toContain('stale');
  expect(await write(['--some', '-u'])).toMatchObject({ exit: 0 });
  expect(written()).toContain('absences of a');
  expect(has(PLANNER)).toBe(true);
  expect(await write(['--some'], {}, ['--eval', '0'])).toEqual(none);
});

test.each([
  ['--update', 'Contracts are never written in CI (TF_BUILD is set). Remove --update.\n'],
  ['--some', 'In CI (TF_BUILD is set), all tests of a contract run. Remove --some.\n'],
])('in CI, %s is refused before the tests run', async (flag, output) => {
  expect(await write([flag], { TF_BUILD: '1' })).toEqual({ exit: 1, output });
});

test.each(['CI', 'TF_BUILD', 'JENKINS_URL', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID', 'bamboo_buildKey'])(
  '%s says that this is CI, unless CI is false or 0',
  (variable) => {
    expect(ciVariable({ [variable]: '1' })).toBe(variable);
    expect(ciVariable({ [variable]: '1', CI: 'false' })).toBeUndefined();
    expect(ciVariable({ [variable]: '1', CI: '0' })).toBeUndefined();
    expect(ciVariable({ [variable]: '' })).toBeUndefined();
  },
);

test('new interactions fail in CI, and are written with CI=false', async () => {
  await writeTests(['a']);
  const { exit, output } = await write([], { TF_BUILD: 'True' });
  expect(exit).toBe(1);
  expect(output).toContain('new: absences of a (payroll.test.mjs)');
  expect(output).toContain('contracts are never written in CI.');
  expect(has(FILE)).toBe(false);
  expect(await write([], { TF_BUILD: 'True', CI: 'false' })).toMatchObject({ exit: 0 });
  expect(written()).toBe(await contract(['a']));
});

test.each([
  ['process.exit(7)', 7],
  ["process.kill(process.pid, 'SIGTERM')", 143],
])('a command that ends by %s gives the exit code %d', async (program, code) => {
  expect(await write([], {}, ['--eval', program])).toEqual({
    exit: code,
    output: 'The tests failed, so no contract is written.\n',
  });
});

test('the command also gets the option that jest needs for ES modules', async () => {
  const program = "process.exit(process.env.NODE_OPTIONS === '--no-warnings --experimental-vm-modules' ? 7 : 1)";
  expect(await write([], { NODE_OPTIONS: '--no-warnings' }, ['--eval', program])).toMatchObject({ exit: 7 });
});
