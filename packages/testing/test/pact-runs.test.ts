import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createVitest } from 'vitest/node';
import { FILE, contract, descriptions, tests } from './absence-tests.ts';
import { VitestProject, kitFolder } from './vitest-project.ts';

test.each([
  ['run', ['a.test.ts']],
  ['run', ['-t', 'b']],
  ['run', ['--shard=1/2']],
  ['run', ['a.test.ts:4', 'b.test.ts']],
  ['runApart', ['--exclude', 'b.test.ts']],
] as const)('removes nothing in a run of some tests: %s %j', async (run, args) => {
  const before = await contract(['a', 'b', 'c']);
  using project = new VitestProject({
    [FILE]: before,
    'a.test.ts': tests(['a', 'b']),
    'b.test.ts': tests(['c']),
  });
  expect(await project[run]([...args, '-u'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toBe(before);
});

test('checks the interactions of a run of some tests', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b', 'c']),
    'a.test.ts': tests(['a', 'b']),
    'b.test.ts': tests(['c'], { example: '2' }),
  });
  const changed = await project.run(['b.test.ts']);
  expect(changed.code).toBe(1);
  expect(changed.output).toMatch(/changed.*: absences of c/);
  expect((await project.run(['b.test.ts', '-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
});

test('a folder means some tests on the command line, and all tests in the configuration', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b']),
    'test/a/a.test.ts': tests(['a']),
    'test/b/b.test.ts': tests(['b']),
  });
  expect((await project.run(['--dir', 'test/a', '-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'b']);
  project.write({
    'vitest.config.ts': project.read('vitest.config.ts').replace('test: { ', "test: { dir: 'test/a', "),
  });
  const stale = await project.run();
  expect(stale.code).toBe(1);
  expect(stale.output).toContain('stale: absences of b (no test makes it)');
});

test('test.only is a run of some tests; test.skip is a run of all', async () => {
  using project = new VitestProject({ [FILE]: await contract(['a', 'b']) });
  const text = tests(['a', 'b']);
  project.write({ 'a.test.ts': text.replace("test('a'", "test.only('a'") });
  // In CI vitest refuses it otherwise.
  expect((await project.run(['-u', '--allowOnly'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'b']);
  project.write({ 'a.test.ts': text.replace("test('a'", "test.skip('a'") });
  const skipped = await project.run();
  expect(skipped.code).toBe(1);
  expect(skipped.output).toContain('stale: absences of a (no test makes it)');
});

test('rejects a run without the plugin', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  project.write({ 'vitest.config.ts': project.read('vitest.config.ts').replace('[contractFiles()]', '[]') });
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain("add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts");
});

test('rejects a run outside of vitest', async () => {
  using project = new VitestProject({});
  const program = `
    import { consumer } from ${JSON.stringify(join(kitFolder, 'pact.js'))};
    const { run } = consumer({ name: 'payroll' }).interaction('listPersons', { example: [] });
    await run(() => {}).catch((error) => console.log(error.code, error.message));
  `;
  const { output } = await project.node(['--input-type=module', '--eval', program]);
  expect(output).toBe(
    `invalid-option No contract can be written. Run the tests by "hr-contracts write -- COMMAND", or with vitest: add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts.\n`,
  );
});

test('writes the files of each project of a workspace into its own folder', async () => {
  using project = new VitestProject({
    'one/a.test.ts': tests(['a']),
    'two/b.test.ts': tests(['b']),
  });
  withProjects(project, "root: './' + name, test: { name }");
  expect((await project.run()).code).toBe(0);
  expect(descriptions(project, `one/${FILE}`)).toEqual(['a']);
  expect(descriptions(project, `two/${FILE}`)).toEqual(['b']);
});

test('removes nothing if one of several projects with the same root runs', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b']),
    'one/a.test.ts': tests(['a']),
    'two/b.test.ts': tests(['b']),
  });
  withProjects(project, "test: { name, dir: './' + name }");
  const one = await project.run(['--project=one', '-u']);
  expect(one.code).toBe(0);
  expect(one.output).not.toContain('b.test.ts');
  expect(descriptions(project)).toEqual(['a', 'b']);
});

test('removes nothing when reports of other runs are merged', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  expect((await project.run(['--reporter=blob'])).code).toBe(0);
  expect((await project.run(['--merge-reports', '-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a']);
});

test('starts each run of a process empty, as in watch mode', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  project.write({ 'again.test.ts': tests(['a'], { example: '2' }) });
  const terminal = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options = { watch: false, update: true, root: project.root };
  const vitest = await createVitest('test', options, {}, { stdout: terminal, stderr: terminal });
  await vitest.standalone();
  for (const name of ['a', 'again']) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    await vitest.runTestSpecifications(await vitest.globTestSpecifications([`${name}.test.ts`]));
  }
  await vitest.close();
  expect(process.exitCode).toBeUndefined();
  expect(descriptions(project)).toEqual(['a']);
  expect(project.read(FILE)).toContain('"id": "2"');
});

/** Lets the configuration have the projects `one` and `two`. */
function withProjects(project: VitestProject, of: string): void {
  const projects = `projects: ['one', 'two'].map((name) => ({ extends: true, ${of} })),`;
  project.write({ 'vitest.config.ts': project.read('vitest.config.ts').replace('test: { ', `test: { ${projects}`) });
}
