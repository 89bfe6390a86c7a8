import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const workspace = fileURLToPath(new URL('../../../', import.meta.url));

/** What each source file of a glob imports: files by their path in the workspace, packages by their name. */
export function importsOf(glob: string): Map<string, string[]> {
  return new Map(
    globSync(glob, { cwd: workspace }).map((path) => {
      const text = readFileSync(join(workspace, path), 'utf8');
      const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
      const all = [...staticImports, ...staticExports.flatMap(({ entries }) => entries), ...dynamicImports];
      const places = all.flatMap(({ moduleRequest }) => moduleRequest ?? []);
      const names = places.map(({ start, end }) => text.slice(start + 1, end - 1));
      return [path, names.map((name) => (name.startsWith('.') ? join(path, '..', name) : name)).toSorted()];
    }),
  );
}
