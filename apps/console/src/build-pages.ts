import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './backend/config.ts';

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
  // In a process of its own, as its memory is several times that of the console.
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new ConfigError('The pages of the console cannot be built. See the errors above.');
}
