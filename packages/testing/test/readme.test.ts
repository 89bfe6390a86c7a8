import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { problemKinds } from '@hr/schemas';
import { expect, test } from 'vitest';
import { allBuilders } from './all-builders.ts';

const root = new URL('..', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');
const programs = Array.from(readme.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs), ([, program, output]) => ({
  program: program as string,
  output: output as string,
}));

test('every program of the README has its output below it', () => {
  expect(programs).toHaveLength(readme.split('```ts').length - 1);
});

test.each(programs)('a program of the README prints what the README says', async ({ program, output }) => {
  const node = ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: root });
  expect(stdout).toBe(output);
});

test('every trait is in the table of traits, and nothing else', () => {
  const [section = ''] = /^## Traits$.*?^## /ms.exec(readme) ?? [];
  const rows = Array.from(section.matchAll(/^\| (`[^|]+?) +\| (.+?) +\|$/gm), ([, builders = '', traits = '']) =>
    [builders, traits].map((cell) =>
      Array.from(cell.replaceAll(/\(.*?\)/g, '').matchAll(/`([\w-]+)`/g), ([, name]) => name),
    ),
  );
  const told = rows.flatMap(([builders = [], traits]) => builders.map((name) => [name, traits]));
  const traits = allBuilders
    .filter(({ builder, name }) => builder.traits.length > 0 && name !== 'problem')
    .map(({ name, builder }) => [name, builder.traits]);
  expect(Object.fromEntries(told)).toEqual({ ...Object.fromEntries(traits), problem: ['too-many-requests'] });
  expect(Object.keys(problemKinds)).toContain('too-many-requests');
});
