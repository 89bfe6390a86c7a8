import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tarball } from './tarball.ts';

const BUILT = /^dist\/(.+)\.(js|d\.ts)$/;

/** What of a tarball was built from a source that its package does not have any more, in sentences. */
export function staleFiles({ files }: Pick<Tarball, 'files'>, folder: string): string[] {
  return files.flatMap(({ name }) => {
    const [, source] = BUILT.exec(name) ?? [];
    if (source === undefined || existsSync(join(folder, 'src', `${source}.ts`))) return [];
    return [`${name} has no source any more: remove dist and build again`];
  });
}
