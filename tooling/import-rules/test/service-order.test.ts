import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, workspace } from './imports.ts';

const src = 'apps/service/src/';
const [, table = ''] =
  /^## Folders of the service\n(.*?)^## /ms.exec(readFileSync(join(workspace, 'AGENTS.md'), 'utf8')) ?? [];
const rows = Array.from(table.matchAll(/^\| (`.*?)\|/gm), ([, files = '']) =>
  Array.from(files.matchAll(/`(.+?)`/g), ([, name = '']) => name),
);
const imports = new Map(
  Array.from(importsOf(`${src}**/*.ts`)).map(([path, names]) => [path, names.filter((name) => name.startsWith(src))]),
);

/** The number of the row of AGENTS.md that has a file or its folder. */
function rowOf(path: string): number {
  const [name] = path.slice(src.length).split('/');
  return rows.findIndex((row) => row.includes(name ?? ''));
}

test('each file of the service is in the table of AGENTS.md, and imports from its own row or from rows below', () => {
  expect([...imports.keys()].filter((path) => rowOf(path) < 0)).toEqual([]);
  const upwards = Array.from(imports, ([path, names]) =>
    names.filter((name) => rowOf(name) < rowOf(path)).map((name) => `${path} imports ${name}`),
  );
  expect(upwards.flat()).toEqual([]);
});

test('no files of the service import each other in a circle', () => {
  const left = new Map(imports);
  // Those that import only what is gone go, until none is left that can.
  for (let size = Infinity; left.size < size;) {
    size = left.size;
    for (const [path, names] of left) if (!names.some((name) => left.has(name))) left.delete(path);
  }
  expect([...left.keys()]).toEqual([]);
});
