import { afterEach, expect, test, vi } from 'vitest';
import { FILE, contract, ofOlderKit, tests } from './absence-tests.ts';
import { VitestProject } from './vitest-project.ts';

// vitest.config.ts lets these tests run in CI, wherever they run.

afterEach(() => void vi.unstubAllEnvs());

test('nothing is written, and -u is refused', async () => {
  const before = await contract(['a']);
  using project = new VitestProject({ [FILE]: before, 'a.test.ts': tests(['a', 'b']) });
  const added = await project.run();
  expect(added.code).toBe(1);
  expect(added.output).toContain('new: absences of b (a.test.ts > b)');
  expect(added.output).toContain('Run `vitest run -u` on your machine and commit the file');

  const updated = await project.run(['-u']);
  expect(updated.code).toBe(1);
  expect(updated.output).toContain(
    ' Contracts\n   Contracts are never written in CI (CI is set). Remove -u, or `update` from the vitest config.',
  );
  expect(updated.output).not.toContain('Unhandled');
  project.edit('vitest.config.ts', 'test: { ', "test: { update: 'new', ");
  expect((await project.run()).code).toBe(1);
  expect(project.read(FILE)).toBe(before);
});

test('CI is also known by the variables of its servers, and is none with CI=false', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  vi.stubEnv('CI', '');
  vi.stubEnv('TF_BUILD', 'True');
  const refused = await project.run(['-u']);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('Contracts are never written in CI (TF_BUILD is set).');
  vi.stubEnv('CI', 'false');
  expect(await project.run(['-u'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toBe(await contract(['a']));
});

test('what only this version of the kit writes differently passes, and is reported', async () => {
  const before = ofOlderKit(await contract(['a']));
  using project = new VitestProject({ [FILE]: before, 'a.test.ts': tests(['a']) });
  const { code, output } = await project.run();
  expect(code).toBe(0);
  expect(output).toContain(`${FILE} is of another version of the kit`);
  expect(output).toContain(
    'changed, stronger: absences of a (a.test.ts > a): /response/matchingRules/body/$[*].startDate',
  );
  expect(project.read(FILE)).toBe(before);
});

// pact-runs.test.ts has the other runs of some tests.
test.each([[['a.test.ts']], [['-t', 'a']]])('fails, because it leaves out tests of a contract: %j', async (args) => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b', 'stale']),
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b']),
  });
  const { code, output } = await project.run(args);
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

test('vitest 4 refuses -u', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) }, { vitest: 'vitest-4' });
  const { code, output } = await project.runApart(['-u']);
  expect(code).toBe(1);
  expect(output).toMatch(/ v4\.[^]*Contracts are never written in CI \(CI is set\)\./);
  expect(project.has('pacts')).toBe(false);
});
