import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rehearse } from '../src/rehearsal/rehearse.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const page = await readFile(`${workspace}/docs/releasing.md`, 'utf8');

/** What the page tells maintainers to type, without versions and messages, which differ each time. */
const commandsOf = (lines: readonly string[]): string[] =>
  lines
    .flatMap((line) => line.split(' && '))
    .map((line) =>
      line
        .replace(/ +#.*/, '')
        .replace(/^npx pnpm@12/, 'pnpm')
        // The usual dist-tag need not be named.
        .replace(/ --tag latest$/, '')
        .replaceAll(/\d+\.\d+\.\d+/g, 'VERSION')
        .replace(/"[^"]*"/, '"…"'),
    )
    .map((line) => (line.startsWith('pnpm changeset add') ? line.replace(/@hr\S+/, '@hr/…') : line))
    .filter((line) => /^(pnpm|npm) /.test(line));

test('a release goes as the page on releasing says, from its first step to its undoing', async () => {
  const told = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block.split('\n')).flat();
  const reported: string[] = [];
  const typed = await rehearse(workspace, (line) => reported.push(line));
  expect(reported.at(-1)).toBe('Nothing of ours left this machine, and the workspace is as it was');
  expect(new Set(commandsOf(told))).toEqual(new Set(commandsOf(typed)));
}, 600_000);
