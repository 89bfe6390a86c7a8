import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, workspace } from './imports.ts';

const document = readFileSync(join(workspace, 'AGENTS.md'), 'utf8');

describe.each([
  { app: 'service', allowsNeighbors: true },
  { app: 'console', allowsNeighbors: false },
])('the $app', ({ app, allowsNeighbors }) => {
  const src = `apps/${app}/src/`;
  const [, table = ''] = new RegExp(`^## Folders of the ${app}\n(.*?)^## `, 'ms').exec(document) ?? [];
  const rows = Array.from(table.matchAll(/^\| (`.*?)\|/gm), ([, files = '']) =>
    Array.from(files.matchAll(/`(.+?)`/g), ([, name = '']) => name),
  );
  const imports = new Map(
    Array.from(importsOf(`${src}**/*.{ts,tsx}`)).map(([path, names]) => [
      path,
      names.filter((name) => name.startsWith(src)),
    ]),
  );

  /** The folder of a file, or the file itself. */
  const placeOf = (path: string): string => path.slice(src.length).split('/')[0] ?? '';

  /** The number of the row of AGENTS.md that has a file or its folder. */
  const rowOf = (path: string): number => rows.findIndex((row) => row.includes(placeOf(path)));

  const isAllowed = (from: string, to: string): boolean =>
    placeOf(from) === placeOf(to) || rowOf(to) > rowOf(from) || (allowsNeighbors && rowOf(to) === rowOf(from));

  test('each file is in the table of AGENTS.md, and imports only what the table allows', () => {
    expect([...imports.keys()].filter((path) => rowOf(path) < 0)).toEqual([]);
    const forbidden = Array.from(imports, ([path, names]) =>
      names.filter((name) => !isAllowed(path, name)).map((name) => `${path} imports ${name}`),
    );
    expect(forbidden.flat()).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    const left = new Map(imports);
    // Those that import only what is gone go, until none is left that can.
    for (let size = Infinity; left.size < size;) {
      size = left.size;
      for (const [path, names] of left) if (!names.some((name) => left.has(name))) left.delete(path);
    }
    expect([...left.keys()]).toEqual([]);
  });
});
