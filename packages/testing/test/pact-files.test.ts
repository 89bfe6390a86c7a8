import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE, contract, descriptions, tests } from './absence-tests.ts';
import { differingPlaces } from '../src/pact/vitest/contract.ts';
import { VitestProject } from './vitest-project.ts';

test.each(['forks', 'threads'])('writes every interaction of many files, in %s', async (pool) => {
  // Two workers at a time, and a second file for one of them.
  const names = Array.from({ length: 3 }, (_, file) => Array.from({ length: 6 }, (__, index) => `p${file}-${index}`));
  const files = names.map((persons, index) => [`f${index}.test.ts`, tests(persons)] as const);
  using project = new VitestProject(Object.fromEntries(files));
  expect(await project.run([`--pool=${pool}`, '--isolate', '--maxWorkers=2'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toBe(await contract(names.flat()));
});

test('writes the same bytes for the same interactions, in any order', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'c', 'e']), 'b.test.ts': tests(['b', 'd']) });
  await project.run(['--sequence.shuffle', '--sequence.seed=3']);
  expect(project.read(FILE)).toBe(await contract(['e', 'd', 'c', 'b', 'a']));
  const again = await project.run(['--update=none']);
  expect(again.code).toBe(0);
  expect(again.output).not.toContain('Contracts');
});

test('writes nothing that depends on the machine, the version or the day', async () => {
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

test('names only the file of concurrent tests', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a', 'b', 'c']).replaceAll('test(', 'test.concurrent(') });
  const { code, output } = await project.run();
  expect(code).toBe(0);
  expect(output).toContain('new: absences of a (a.test.ts)');
  expect(output).toContain('new: absences of b (a.test.ts)');
});

test('adds new interactions, fails on changed ones, and writes them with -u', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b']),
    'a.test.ts': tests(['a', 'b']),
    'b.test.ts': tests(['c']),
  });
  expect(await project.run()).toMatchObject({
    code: 0,
    output: expect.stringContaining('new: absences of c') as string,
  });
  expect(project.read(FILE)).toBe(await contract(['a', 'b', 'c']));
  const before = project.read(FILE);

  project.write({ 'b.test.ts': tests(['c'], { example: '2' }) });
  const changed = await project.run();
  expect(changed.code).toBe(1);
  expect(changed.output).toContain('changed: absences of c (b.test.ts > c): /response/body/content/0/id');
  expect(changed.output).toContain('run `vitest run -u`');
  expect(project.read(FILE)).toBe(before);

  const updated = await project.run(['-u']);
  expect(updated.code).toBe(0);
  expect(updated.output).toContain('changed: absences of c');
  expect(project.read(FILE)).not.toBe(before);
  expect((await project.run(['--update=none'])).code).toBe(0);
});

test('fails on stale interactions, and removes them with -u', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a', 'b', 'c']),
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['c']),
  });
  const stale = await project.run();
  expect(stale.code).toBe(1);
  expect(stale.output).toContain('stale: absences of b (no test makes it)');
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
  expect((await project.run(['-u'])).code).toBe(0);
  expect(descriptions(project)).toEqual(['a', 'c']);
});

test('fails on the file of a removed consumer, and removes it with -u', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a']),
    'pacts/leaver-hr-cloud.json': await contract(['b'], { consumer: 'leaver' }),
    'a.test.ts': tests(['a']),
  });
  const stale = await project.run(['--update=none']);
  expect(stale.code).toBe(1);
  expect(stale.output).toContain('pacts/leaver-hr-cloud.json differs from the tests');
  expect((await project.run(['-u'])).output).toContain('pacts/leaver-hr-cloud.json removed');
  expect(readdirSync(join(project.root, 'pacts'))).toEqual(['payroll-hr-cloud.json']);
});

test('writes nothing if a test fails', async () => {
  using project = new VitestProject({
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b'], { after: "throw new Error('not understood');" }),
  });
  expect((await project.run(['-u'])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('writes nothing after an error outside of tests', async () => {
  using project = new VitestProject({
    'a.test.ts': `${tests(['a'])}\nsetTimeout(() => { throw new Error('late'); });`,
  });
  expect((await project.run(['-u'])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('names both tests of different interactions with one name', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']), 'b.test.ts': tests(['a'], { example: '2' }) });
  const { code, output } = await project.run(['-u']);
  expect(code).toBe(1);
  expect(output).toContain(
    '"absences of a" differs between a.test.ts > a and b.test.ts > a. Give one of them another description.',
  );
  expect(project.has('pacts')).toBe(false);
});

test('merges equal interactions of two files', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a']), 'b.test.ts': tests(['a']) });
  expect((await project.run()).code).toBe(0);
  expect(descriptions(project)).toEqual(['a']);
});

test('fails on a file that is no contract, and writes it with -u', async () => {
  using project = new VitestProject({ [FILE]: '<<<<<<< HEAD', 'a.test.ts': tests(['a']) });
  const refused = await project.run();
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('is not JSON');
  expect(project.read(FILE)).toBe('<<<<<<< HEAD');
  project.write({ [FILE]: '\n' });
  expect((await project.run()).output).toContain('is empty');
  project.write({ [FILE]: '{}' });
  expect((await project.run()).output).toContain('was edited by hand, but it is generated: it is not a pact');
  expect((await project.run(['-u'])).code).toBe(0);
  expect(project.read(FILE)).toBe(await contract(['a']));
});

test('names the first places that differ', () => {
  expect(differingPlaces([1, 2, 3, 4], [5, 6, 7, 8])).toBe('/0, /1, /2 and 1 more');
});
