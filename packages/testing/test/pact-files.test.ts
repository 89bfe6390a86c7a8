import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VitestProject } from './vitest-project.ts';

const FILE = 'pacts/payroll-hr-cloud.json';

interface Options {
  readonly consumer?: string;
  /** What differs between interactions of the same name. */
  readonly example?: string;
  readonly after?: string;
  /** The way back to this package. */
  readonly depth?: string;
}

/** A file of tests, one interaction each: the absences of these persons. */
function tests(
  persons: readonly string[],
  { consumer = 'payroll', example = '1', after = '', depth = '../..' }: Options = {},
): string {
  const all = persons.map((personId) => {
    const expectation = {
      request: { path: { personId } },
      example: [{ id: example }],
      description: `absences of ${personId}`,
    };
    return `test('${personId}', async () => {
  await hr.interaction('listAbsences', ${JSON.stringify(expectation)}).run(({ baseUrl, token }) =>
    fetch(baseUrl + '/api/v1/persons/${personId}/absences', { headers: { authorization: 'Bearer ' + token } }));
  ${after}
});`;
  });
  return `import { test } from 'vitest';
import { consumer } from '${depth}/src/pact/index.ts';
const hr = consumer({ name: '${consumer}' });
${all.join('\n')}
`;
}

function descriptions(project: VitestProject, file = FILE): string[] {
  const { interactions } = JSON.parse(project.read(file)) as { interactions: { description: string }[] };
  return interactions.map(({ description }) => description.replace('absences of ', ''));
}

test.each(['forks', 'threads'])('no interaction of many files is lost in %s', async (pool) => {
  const names = Array.from({ length: 12 }, (_, file) => Array.from({ length: 6 }, (__, index) => `p${file}-${index}`));
  const files = names.map((persons, index) => [`f${index}.test.ts`, tests(persons)] as const);
  using project = new VitestProject(Object.fromEntries(files));
  const isolated = [`--pool=${pool}`, '--isolate'];
  expect(await project.run(isolated)).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(names.flat().toSorted());
});

test('the same interactions are the same bytes, in whatever order they ran', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'c', 'e']), 'b.test.ts': tests(['b', 'd']) });
  await project.run();
  const bytes = project.read(FILE);
  project.remove('pacts');
  await project.run(['--sequence.shuffle', '--sequence.seed=3', '--pool=threads']);
  expect(project.read(FILE)).toBe(bytes);
  const again = await project.run([], { ci: true });
  expect(again.code).toBe(0);
  expect(again.output).not.toContain('Contracts');
});

test('a file says nothing that differs between machines, versions and days', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  await project.run();
  const { consumer, metadata, provider } = JSON.parse(project.read(FILE)) as Record<string, unknown>;
  expect({ consumer, metadata, provider }).toEqual({
    consumer: { name: 'payroll' },
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: 'hr-cloud' },
  });
  expect(project.read(FILE)).not.toContain(project.root);
  expect(readdirSync(join(project.root, 'pacts'))).toEqual(['payroll-hr-cloud.json']);
});

test('in CI nothing is written', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  const { code, output } = await project.run([], { ci: true });
  expect(code).toBe(1);
  expect(output).toContain(`${FILE} is not what the tests say`);
  expect(output).toContain('new: absences of a (a.test.ts > a)');
  expect(project.has('pacts')).toBe(false);
});

test('whoever writes a contract is told what is not in it', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  expect((await project.run()).output).toMatch(/not in it: \d+ rules of the models, such as .*; see notExpressed/);
});

test('what is new is added, what differs fails and is written with -u', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'b']) });
  await project.run();
  project.write({ 'b.test.ts': tests(['c']) });
  expect(await project.run()).toMatchObject({
    code: 0,
    output: expect.stringContaining('new: absences of c') as string,
  });
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
  const before = project.read(FILE);

  project.write({ 'b.test.ts': tests(['c'], { example: '2' }) });
  const changed = await project.run();
  expect(changed.code).toBe(1);
  expect(changed.output).toContain('changed: absences of c (b.test.ts > c)');
  expect(changed.output).toContain('run `vitest run -u`');
  expect(project.read(FILE)).toBe(before);

  const updated = await project.run(['-u']);
  expect(updated.code).toBe(0);
  expect(updated.output).toContain('changed: absences of c');
  expect(project.read(FILE)).not.toBe(before);
  expect((await project.run([], { ci: true })).code).toBe(0);
});

test('what no test makes any more fails, and goes with -u', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'b']), 'b.test.ts': tests(['c']) });
  await project.run();
  project.write({ 'a.test.ts': tests(['a']) });
  const stale = await project.run();
  expect(stale.code).toBe(1);
  expect(stale.output).toContain('stale: absences of b (no test makes it)');
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
  expect((await project.run(['-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'c']);
});

test('the file of a consumer that is gone fails, and goes with -u', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']), 'b.test.ts': tests(['b'], { consumer: 'leaver' }) });
  await project.run();
  project.remove('b.test.ts');
  const stale = await project.run([], { ci: true });
  expect(stale.code).toBe(1);
  expect(stale.output).toContain('pacts/leaver-hr-cloud.json is not what the tests say');
  expect((await project.run(['-u'])).output).toContain('pacts/leaver-hr-cloud.json removed');
  expect(readdirSync(join(project.root, 'pacts'))).toEqual(['payroll-hr-cloud.json']);
});

test('a run of some tests takes nothing away, and checks what it made', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'b']), 'b.test.ts': tests(['c']) });
  await project.run();
  const before = project.read(FILE);
  for (const args of [['a.test.ts'], ['-t', 'b'], ['a.test.ts:4'], ['--shard=1/2'], ['--exclude', 'b.test.ts']]) {
    // oxlint-disable-next-line no-await-in-loop -- they would write the same file
    expect(await project.run([...args, '-u'])).toMatchObject({ code: 0 });
    expect(project.read(FILE)).toBe(before);
  }
  expect((await project.run(['a.test.ts'], { ci: true })).code).toBe(0);
  project.write({ 'b.test.ts': tests(['c'], { example: '2' }) });
  const changed = await project.run(['b.test.ts']);
  expect(changed.code).toBe(1);
  expect(changed.output).toContain('changed: absences of c');
  expect((await project.run(['b.test.ts', '-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
});

test('test.only is a run of some tests, test.skip is not', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'b']) });
  await project.run();
  const text = project.read('a.test.ts');
  project.write({ 'a.test.ts': text.replace("test('a'", "test.only('a'") });
  expect((await project.run(['-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'b']);
  project.write({ 'a.test.ts': text.replace("test('a'", "test.skip('a'") });
  const skipped = await project.run();
  expect(skipped.code).toBe(1);
  expect(skipped.output).toContain('stale: absences of a (no test makes it)');
});

test('a test that fails writes nothing, nor does any other of its run', async () => {
  using project = new VitestProject({
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b'], { after: "throw new Error('not understood');" }),
  });
  expect((await project.run(['-u'])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('an error outside of tests writes nothing', async () => {
  using project = new VitestProject({
    'a.test.ts': `${tests(['a'])}\nsetTimeout(() => { throw new Error('late'); });`,
  });
  expect((await project.run(['-u'])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('two interactions of one name that differ are an error that names both', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']), 'b.test.ts': tests(['a'], { example: '2' }) });
  const { code, output } = await project.run(['-u']);
  expect(code).toBe(1);
  expect(output).toContain('"absences of a" is two different interactions, of a.test.ts > a and of b.test.ts > a.');
  expect(project.has('pacts')).toBe(false);
});

test('the same interaction in two files is one', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']), 'b.test.ts': tests(['a']) });
  expect((await project.run()).code).toBe(0);
  expect(descriptions(project)).toEqual(['a']);
});

test('a file that somebody else has written fails, and is written with -u', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  await project.run();
  const text = project.read(FILE);
  for (const other of [text.replace('"4.0"', '"4.0.1"'), '<<<<<<< HEAD', 'null']) {
    writeFileSync(join(project.root, FILE), other);
    // oxlint-disable-next-line no-await-in-loop -- they would write the same file
    const refused = await project.run();
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('nobody else has to write it');
    expect(readFileSync(join(project.root, FILE), 'utf8')).toBe(other);
    // oxlint-disable-next-line no-await-in-loop -- they would write the same file
    expect((await project.run(['-u'])).code).toBe(0);
    expect(project.read(FILE)).toBe(text);
  }
});

test('without the plugin, an interaction does not run', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  project.write({ 'vitest.config.ts': project.read('vitest.config.ts').replace('[contractFiles()]', '[]') });
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain("add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts");
});

test('whatever reporters are asked for, the files are made', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  expect((await project.run(['--reporter=dot'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a']);
});

test('the projects of a workspace have their own folders', async () => {
  const depth = '../../..';
  using project = new VitestProject({
    'one/a.test.ts': tests(['a'], { depth }),
    'two/b.test.ts': tests(['b'], { depth }),
  });
  withProjects(project, "root: './' + name, test: { name }");
  expect((await project.run()).code).toBe(0);
  expect(descriptions(project, `one/${FILE}`)).toEqual(['a']);
  expect(descriptions(project, `two/${FILE}`)).toEqual(['b']);
});

test('projects of one root share a file, of which one of them takes nothing away', async () => {
  const depth = '../../..';
  using project = new VitestProject({
    'one/a.test.ts': tests(['a'], { depth }),
    'two/b.test.ts': tests(['b'], { depth }),
  });
  withProjects(project, "test: { name, dir: './' + name }");
  await project.run();
  const one = await project.run(['--project=one', '-u']);
  expect(one.code).toBe(0);
  expect(one.output).not.toContain('b.test.ts');
  expect(descriptions(project)).toEqual(['a', 'b']);
});

test('merging the reports of other runs is none that takes anything away', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  expect((await project.run(['--reporter=blob'])).code).toBe(0);
  expect((await project.run(['--merge-reports', '-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a']);
});

test('each run of a process begins with nothing, as while watching', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']) });
  project.write({ 'again.test.ts': tests(['a'], { example: '2' }) });
  const program = `
    import { createVitest } from 'vitest/node';
    const vitest = await createVitest('test', { watch: false, update: true, root: ${JSON.stringify(project.root)} });
    await vitest.standalone();
    for (const name of ['a', 'again']) {
      const specifications = await vitest.globTestSpecifications([name + '.test.ts']);
      await vitest.runTestSpecifications(specifications);
    }
    await vitest.close();
  `;
  const { code, output } = await project.node(program);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['a']);
  expect(project.read(FILE)).toContain('"id": "2"');
});

/** Lets the configuration have the projects `one` and `two`. */
function withProjects(project: VitestProject, of: string): void {
  const projects = `projects: ['one', 'two'].map((name) => ({ extends: true, ${of} })),`;
  project.write({ 'vitest.config.ts': project.read('vitest.config.ts').replace('test: { ', `test: { ${projects}`) });
}
