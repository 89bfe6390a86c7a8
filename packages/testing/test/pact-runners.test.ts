import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { FILE, contract } from './absence-tests.ts';
import { newFolder } from './pact-file.ts';

const bin = fileURLToPath(new URL('../bin/hr-contracts.js', import.meta.url));
const kit = fileURLToPath(new URL('../src/pact/index.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});

/** Tests of node:test, one interaction each. */
async function writeTests(persons: readonly string[], { example = '1', after = '' } = {}): Promise<void> {
  const each = persons.map(
    (person) => `test('${person}', async () => {
  const { run } = hr.interaction('listAbsences', {
    request: { path: { personId: '${person}' } }, example: [{ id: '${example}' }], description: 'absences of ${person}',
  });
  ${
    after ||
    `await run(({ baseUrl, token }) =>
    fetch(baseUrl + '/api/v1/persons/${person}/absences', { headers: { authorization: 'Bearer ' + token } }));`
  }
});`,
  );
  const text = `import { test } from 'node:test';
import { consumer } from '${kit}';
const hr = consumer({ name: 'payroll' });
${each.join('\n')}
`;
  await writeFile(join(folder, 'a.test.mjs'), text);
}

/** Runs `hr-contracts write` for the tests of the folder. */
function write(
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ exit: unknown; output: string }> {
  const runner = [process.execPath, '--conditions=@hr/source', '--test', '--test-reporter=dot', 'a.test.mjs'];
  const args = ['--conditions=@hr/source', bin, 'write', ...flags, '--', ...runner];
  const { PATH } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: { PATH, ...env } }, (error, stdout, stderr) => {
      resolve({ exit: error ? error.code : 0, output: stdout + stderr });
    });
  });
}

const written = (): string => readFileSync(join(folder, FILE), 'utf8');

test('tests of another runner write the contract that vitest writes, and keep it', async () => {
  await writeTests(['a', 'b']);
  expect(await write()).toMatchObject({ exit: 0, output: expect.stringContaining(`${FILE} written`) as string });
  expect(written()).toBe(await contract(['a', 'b']));

  await writeTests(['a'], { example: '2' });
  const { exit, output } = await write();
  expect(exit).toBe(1);
  expect(output).toContain(`${FILE} differs from the tests`);
  expect(output).toContain('changed, as strong as before: absences of a (a.test.mjs)');
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
    'payroll: "absences of a" of a.test.mjs: has no run. Call run and await it.',
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
  expect(existsSync(join(folder, FILE))).toBe(false);
});
