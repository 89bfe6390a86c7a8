import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as schemas from '@hr/schemas';
import { operations, problemKinds, wireNames } from '@hr/schemas';
import type { Operation } from '@hr/schemas';
import { expect, onTestFinished, test } from 'vitest';
import { providerStates } from '../src/states/provider-states.ts';
import type { StateName } from '../src/states/provider-states.ts';
import { stateNames } from '../src/states/read-state.ts';
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

test('the programs of the README compile', async () => {
  await mkdir(new URL('reports', root), { recursive: true });
  const folder = await mkdtemp(fileURLToPath(new URL('reports/readme-', root)));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = { extends: '../../tsconfig.json', include: ['*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await Promise.all(programs.map(({ program }, index) => writeFile(join(folder, `${index}.ts`), program)));
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  const compiled = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
  expect((await compiled.catch((error: { stdout: string }) => error)).stdout).toBe('');
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

test('every operation is in the table of the page on contracts, with all that a request has', async () => {
  const page = await readFile(new URL('docs/contracts.md', root), 'utf8');
  const rows = Array.from(page.matchAll(/^\| `(\w+)` +\| `([A-Z]+ \/.*)\|$/gm), ([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows).toEqual(
    Object.entries<Operation>(operations).map(([id, { method, path, pathParameters, query, body, idempotencyKey }]) => {
      const inUrl: Readonly<Record<string, string>> = Object.hasOwn(wireNames, id) ? wireNames[id as never] : {};
      const parameters = Object.entries(query.shape).map(([name, model]) => {
        const renamed = inUrl[name] === name ? '' : ` → \`${inUrl[name]}\``;
        return `\`${name}\`${renamed}${model.safeParse(undefined).success ? '' : ' (required)'}`;
      });
      const [model = ''] = Object.entries(schemas).find(([, exported]) => body && exported === body) ?? [];
      return [
        `\`${id}\``,
        `\`${method} ${path}\``,
        Object.keys(pathParameters.shape)
          .map((name) => `\`${name}\``)
          .join(', '),
        parameters.join(', '),
        [...(model ? [`\`${model}\``] : []), ...(idempotencyKey ? ['beside it, `idempotencyKey`'] : [])].join('; '),
      ];
    }),
  );
});

test('every provider state is in the table of the page on contracts, with its parameters', async () => {
  const page = await readFile(new URL('docs/contracts.md', root), 'utf8');
  const rows = Array.from(page.matchAll(/^\| `(an? [^`|]+)` +\| (.*?) +\|/gm), ([, name = '', parameters = '']) => ({
    name,
    parameters: Array.from(parameters.matchAll(/`(\w+)`/g), ([, parameter]) => parameter),
  }));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(stateNames.toSorted());
  for (const { name, parameters } of rows) {
    const { shape } = providerStates[name as StateName];
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(parameters));
    const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
    expect(parameters).toEqual(expect.arrayContaining(required.map(([parameter]) => parameter)));
  }
});
