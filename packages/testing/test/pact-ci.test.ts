import { expect, test } from 'vitest';
import { FILE, contract, tests } from './absence-tests.ts';
import { VitestProject } from './vitest-project.ts';

// vitest.config.ts lets these tests run in CI, wherever they run.

test('nothing is written, and -u is refused', async () => {
  const before = await contract(['a']);
  using project = new VitestProject({ [FILE]: before, 'a.test.ts': tests(['a', 'b']) });
  const added = await project.runApart();
  expect(added.code).toBe(1);
  expect(added.output).toContain('new: absences of b (a.test.ts > b)');
  expect(added.output).toContain('Run `vitest run -u` on your machine and commit the file');

  const updated = await project.run(['-u']);
  expect(updated.code).toBe(1);
  expect(updated.output).toContain(
    ' Contracts\n   Contracts are never written in CI (CI is set). Remove -u, or `update` from the vitest config.',
  );
  expect(updated.output).not.toContain('Unhandled');
  const config = project.read('vitest.config.ts');
  for (const update of ["'new'", 'true']) {
    project.write({ 'vitest.config.ts': config.replace('test: { ', `test: { update: ${update}, `) });
    // oxlint-disable-next-line no-await-in-loop -- of one project
    expect((await project.run()).code).toBe(1);
  }
  expect(project.read(FILE)).toBe(before);
});

test.each([
  ['run', ['a.test.ts']],
  ['run', ['-t', 'a']],
  ['run', ['--shard=1/2']],
  ['runApart', ['--exclude', 'b.test.ts']],
  ['run', ['--allowOnly']],
] as const)('fails, because it leaves out tests of a contract: %s %j', async (run, args) => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b', 'stale']),
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b']),
  });
  if (args[0] === '--allowOnly') project.edit('a.test.ts', "test('a'", "test.only('a'");
  const { code, output } = await project[run](args);
  expect(code).toBe(1);
  expect(output).toContain('not in this run: absences of stale (no test makes it)');
  expect(output).toContain('This run has only some of the tests. In CI, run all tests of a contract in one run.');
});

test('a run of some tests passes if it has all of a contract, or none', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a']),
    'a.test.ts': tests(['a']),
    'b.test.ts': "import { test } from 'vitest'; test('b', () => {});",
  });
  expect(await project.run(['a.test.ts'])).toMatchObject({ code: 0 });
  expect(await project.run(['b.test.ts'])).toMatchObject({ code: 0 });
});
