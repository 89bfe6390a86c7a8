import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds the pages, unless they are newer than their source. */
export async function buildPages(): Promise<void> {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const built = await stat(join(folder, 'dist/index.html')).catch(() => undefined);
  const folders = await Promise.all(
    ['public', 'src'].map(async (name) => {
      const names = await readdir(join(folder, name), { recursive: true });
      return names.map((path) => join(name, path));
    }),
  );
  const paths = ['index.html', 'package.json', 'vite.config.ts', ...folders.flat()];
  const sources = await Promise.all(paths.map(async (path) => await stat(join(folder, path))));
  if (built && sources.every(({ mtimeMs }) => mtimeMs < built.mtimeMs)) return;
  const { build } = await import('vite');
  await build({ root: folder, logLevel: 'warn' });
}
