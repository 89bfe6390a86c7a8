import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, workspace } from './imports.ts';

const page = join(workspace, 'AGENTS.md');
const imports = importsOf('{packages,apps}/*/src/**/*.{ts,tsx}');

/** The packages and apps, and what the source of each imports. */
function packageArrows(): string[] {
  const arrows = Array.from(imports, ([path, names]) =>
    names.map((name) => [path.split('/')[1], /^@hr\/(\w+)/.exec(name)?.[1]]),
  );
  return arrows.flatMap((each) => each.filter(([from, to]) => to && from !== to).map((arrow) => arrow.join(' --> ')));
}

/** The shortest way by imports from a file to another, or to a package. */
function wayArrows(from: string, to: string): string[] {
  const ways = [[from]];
  for (const way of ways) {
    const last = way.at(-1) ?? '';
    if (last === to) return way.slice(1).map((name, index) => `${node(way[index] ?? '')} --> ${node(name)}`);
    const seen = new Set(ways.map((other) => other.at(-1)));
    ways.push(...(imports.get(last) ?? []).filter((name) => !seen.has(name)).map((name) => [...way, name]));
  }
  throw new Error(`No import leads from ${from} to ${to}. Correct the files in ${import.meta.filename}.`);
}

function node(name: string): string {
  return `${name.replaceAll(/\W/g, '_')}["${name}"]`;
}

function picture(arrows: readonly string[]): string {
  return `flowchart TD\n${[...new Set(arrows)].map((arrow) => `  ${arrow}\n`).join('')}`;
}

test('AGENTS.md shows the imports of the packages, and the files that handle a request', async () => {
  const [client, service] = ['packages/client/src', 'apps/service/src'];
  const pictures = [
    picture(packageArrows().toSorted()),
    picture([
      ...wayArrows(`${client}/hr-client.ts`, `${client}/attempts.ts`),
      ...wayArrows(`${client}/call-operation.ts`, '@hr/schemas/checks'),
      `${node(`${client}/attempts.ts`)} -- HTTP --> ${node(`${service}/server.ts`)}`,
      ...wayArrows(`${service}/server.ts`, `${service}/http/handle-operation.ts`),
      ...wayArrows(`${service}/http/add-route.ts`, '@hr/schemas/provider'),
      ...wayArrows(`${service}/server.ts`, `${service}/persons/person-handlers.ts`),
      ...wayArrows(`${service}/persons/person-handlers.ts`, `${service}/persons/person-view.ts`),
    ]),
  ];
  const text = readFileSync(page, 'utf8').replaceAll(/(?<=^```mermaid\n)[^`]*/gm, () => pictures.shift() ?? '');
  expect(pictures).toEqual([]);
  await expect(text).toMatchFileSnapshot(page);
});
