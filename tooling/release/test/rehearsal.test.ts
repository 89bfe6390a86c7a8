import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rehearse } from '../src/rehearsal/rehearse.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

/** The pnpm and npm commands of some lines, without the versions and messages, which differ each time. */
const commandsOf = (lines: readonly string[]): string[] =>
  lines
    .flatMap((line) => line.split(' && '))
    .map((line) =>
      line
        .replace(/ +#.*/, '')
        .replaceAll(/\d+\.\d+\.\d+/g, 'VERSION')
        .replace(/"[^"]*"/, '"…"'),
    )
    .map((line) => line.replace(/(--tag|release:snapshot) \S+/, '$1 TAG'))
    .map((line) => (line.startsWith('pnpm changeset add') ? line.replace(/@hr\S+/, '@hr/…') : line))
    .filter((line) => /^(pnpm|npm) /.test(line));

test('a release works as the page on releasing says', async () => {
  const page = await readFile(`${workspace}/docs/releasing.md`, 'utf8');
  const shown = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block.split('\n')).flat();
  const scripts = await Promise.all(
    ['release', 'snapshot'].map((name) => readFile(`${workspace}/.ci/${name}`, 'utf8')),
  );
  const ofJobs = scripts.flatMap((script) => script.split('\n').map((line) => line.trim()));
  const typed = await rehearse(workspace, () => {});
  expect(commandsOf([...typed, ...ofJobs])).toEqual(expect.arrayContaining(commandsOf(shown)));
}, 600_000);
