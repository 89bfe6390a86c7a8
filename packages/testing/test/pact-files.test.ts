import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE, contract, ofOlderKit, tests } from './absence-tests.ts';
import { differingPlaces } from '../src/pact/contract.ts';
import { pactOf } from './pact-file.ts';
import { VitestProject } from './vitest-project.ts';

test.each(['forks', 'threads'])('writes every interaction of many files, in %s', async (pool) => {
  // Two workers at a time, and a second file for one of them.
  const names = Array.from({ length: 3 }, (_, file) => [`p${file}-0`, `p${file}-1`]);
  const files = names.map((persons, index) => [`f${index}.test.ts`, tests(persons)] as const);
  using project = new VitestProject(Object.fromEntries(files));
  expect(await project.run([`--pool=${pool}`, '--isolate', '--maxWorkers=2'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toBe(await contract(names.flat()));
});

test('writes the same bytes for the same interactions, in any order, and nothing of the machine or the day', async () => {
  using project = new VitestProject({
    'a.test.ts': tests(['a', 'c', 'e']),
    'b.test.ts': tests(['b', 'd', 'a']),
    'c.test.ts': tests(['a', 'b'], { consumer: 'leave' }).replaceAll('test(', 'test.concurrent('),
  });
  const { code, output } = await project.run(['--sequence.shuffle', '--sequence.seed=3', '--reporter=dot']);
  expect(code).toBe(0);
  expect(project.read(FILE)).toBe(await contract(['e', 'd', 'c', 'b', 'a']));
  // Of concurrent tests, only the file is known.
  expect(output).toContain('new: absences of a (c.test.ts)');
  expect(output).toContain('new: absences of b (c.test.ts)');
  const { consumer, metadata, provider } = JSON.parse(project.read(FILE)) as Record<string, unknown>;
  expect({ consumer, metadata, provider }).toEqual({
    consumer: { name: 'payroll' },
    metadata: {
      'hr-testing': { version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string },
      pactSpecification: { version: '4.0' },
    },
    provider: { name: 'hr-cloud' },
  });
  expect(project.read(FILE)).not.toContain(project.root);
  expect(readdirSync(join(project.root, 'pacts'))).toEqual(['leave-hr-cloud.json', 'payroll-hr-cloud.json']);
  const marked = `\uFEFF${project.read(FILE).replaceAll('\n', '\r\n')}`;
  project.write({ [FILE]: marked });
  const unchanged = await project.run(['--update=none']);
  expect(unchanged.code).toBe(0);
  expect(unchanged.output).not.toContain('Contracts');
});

interface Difference {
  /** The text of the file. */
  readonly text: string;
  /** The persons of the tests. */
  readonly persons: readonly string[];
  readonly example?: string;
  /** What a run says of the file. */
  readonly faults: readonly string[];
}

const noTests = 'has no tests. If its consumer has another name now, or it is a copy, delete it';

/** A contract with its first interaction once more. */
function again(text: string): string {
  const pact = JSON.parse(text) as { interactions: object[] };
  return JSON.stringify({ ...pact, interactions: [...pact.interactions, ...pact.interactions.slice(0, 1)] });
}

const fileOf = (consumer: string): string => `pacts/${consumer}-hr-cloud.json`;

test('adds new interactions, fails on any other difference, and writes all of them with -u', async () => {
  const edited = 'was edited by hand, but it is generated:';
  const two = await contract(['a', 'b'], { consumer: 'status' });
  const differences: Readonly<Record<string, Difference>> = {
    changed: {
      text: await contract(['a', 'b'], { consumer: 'changed' }),
      persons: ['a', 'b'],
      example: '2',
      faults: [
        'changed, as strong as before: absences of a (changed.test.ts > a): /response/body/content/0/id',
        'changed, as strong as before: absences of b (changed.test.ts > b): /response/body/content/0/id',
      ],
    },
    stale: {
      text: await contract(['a', 'b', 'c'], { consumer: 'stale' }),
      persons: ['a', 'c'],
      faults: ['stale: absences of b (no test makes it)'],
    },
    leaver: {
      text: await contract(['b'], { consumer: 'leaver' }),
      persons: [],
      faults: ['stale: absences of b (no test makes it)'],
    },
    conflict: {
      text: '<<<<<<< HEAD',
      persons: ['a'],
      faults: ['is not JSON', 'new: absences of a (conflict.test.ts > a)'],
    },
    empty: { text: '\n', persons: ['a'], faults: ['is empty', 'new: absences of a (empty.test.ts > a)'] },
    foreign: {
      text: '{}',
      persons: ['a'],
      faults: [
        `${edited} it is no pact with hr-cloud: /metadata is required`,
        'new: absences of a (foreign.test.ts > a)',
      ],
    },
    status: {
      text: two.replace('"status": 200', '"status": 201'),
      persons: ['a', 'b'],
      faults: ['changed: absences of a (status.test.ts > a): /response/status'],
    },
    layout: {
      text: (await contract(['a', 'b'], { consumer: 'layout' })).replace('"personId"', '"personId" '),
      persons: ['a', 'b'],
      faults: [`${edited} its layout, order or metadata differs`],
    },
    twice: {
      text: again(await contract(['a'], { consumer: 'twice' })),
      persons: ['a'],
      faults: [`${edited} it is a contract with "absences of a" twice`, 'new: absences of a (twice.test.ts > a)'],
    },
    renamed: {
      text: await contract(['a'], { consumer: 'another' }),
      persons: ['a'],
      faults: [`${edited} its consumer has another name`],
    },
  };
  using project = new VitestProject({ [FILE]: await contract(['a', 'b']), 'payroll.test.ts': tests(['a', 'b', 'c']) });
  for (const [consumer, { text, persons, example = '1' }] of Object.entries(differences)) {
    project.write({ [fileOf(consumer)]: text });
    if (persons.length > 0) project.write({ [`${consumer}.test.ts`]: tests(persons, { consumer, example }) });
  }

  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain('new: absences of c (payroll.test.ts > c)');
  expect(project.read(FILE)).toBe(await contract(['a', 'b', 'c']));
  expect(output).toContain('run `vitest run -u`');
  for (const [consumer, { text, persons, faults }] of Object.entries(differences)) {
    const heading = persons.length > 0 ? 'differs from the tests' : noTests;
    const [, report = ''] = output.split(`${fileOf(consumer)} ${heading}\n`);
    const lines = report.split('\n').map((line) => line.trim());
    expect([consumer, lines.slice(0, faults.length).toSorted()]).toEqual([consumer, faults.toSorted()]);
    expect(project.read(fileOf(consumer))).toBe(text);
  }

  const updated = await project.run(['-u']);
  expect(updated.code).toBe(0);
  expect(updated.output).toContain('changed, as strong as before: absences of a (changed.test.ts > a)');
  expect(updated.output).toContain(`${fileOf('leaver')} removed`);
  expect(project.has(fileOf('leaver'))).toBe(false);
  for (const [consumer, { persons, example = '1' }] of Object.entries(differences)) {
    if (persons.length === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- one mock server after the other
    expect(project.read(fileOf(consumer))).toBe(await contract(persons, { consumer, example }));
  }
});

test('keeps the contracts of other tools, unless its own tests are of the same consumer', async () => {
  const pacts = ['other', 'payroll'].map((name) => [fileOf(name), JSON.stringify(pactOf(name, [{}]))] as const);
  using project = new VitestProject({ ...Object.fromEntries(pacts), 'a.test.ts': tests(['a']) });
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain('is of another tool: keep it in another folder until its tests are moved');
  expect(output).not.toContain(fileOf('other'));
  expect(await project.run(['-u'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toBe(await contract(['a']));
  expect(project.read(fileOf('other'))).toBe(pacts[0]?.[1]);
});

test('writes what only this version of the kit writes differently, and names how strong it is', async () => {
  using project = new VitestProject({ [FILE]: ofOlderKit(await contract(['a'])), 'a.test.ts': tests(['a']) });
  const { code, output } = await project.run();
  expect(code).toBe(0);
  expect(output).toMatch(/kit 0\.9\.0 → \d+\.\d+\.\d+, changed, stronger: absences of a \(a\.test\.ts > a\)/);
  expect(project.read(FILE)).toBe(await contract(['a']));
});

test('writes whom to talk to, and fails if that changes', async () => {
  using project = new VitestProject({ 'a.test.ts': tests(['a'], { contact: 'Payroll team, #payroll' }) });
  expect(await project.run()).toMatchObject({ code: 0 });
  expect(JSON.parse(project.read(FILE))).toMatchObject({
    metadata: { 'hr-testing': { contact: 'Payroll team, #payroll' } },
  });
  project.edit('a.test.ts', '#payroll', '#money');
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain('contact: Payroll team, #money');
  expect(await project.run(['-u'])).toMatchObject({ code: 0 });
  expect(project.read(FILE)).toContain('#money');
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

test('names the first places that differ', () => {
  expect(differingPlaces([1, 2, 3, 4], [5, 6, 7, 8])).toBe('/0, /1, /2 and 1 more');
});
