import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMIT_FILE, RELEASE_FOLDER } from './packed-release.ts';
import type { PackedPackage } from './packed-release.ts';
import { run } from './run.ts';

/**
 * Checks that nothing has changed since the tarballs were packed and checked.
 *
 * @throws {Error} That says what has, and what to do.
 */
export async function checkPacked(workspace: string, packages: readonly PackedPackage[]): Promise<void> {
  const [packed, head] = await Promise.all([
    readFile(join(workspace, RELEASE_FOLDER, COMMIT_FILE), 'utf8'),
    run('git', ['rev-parse', 'HEAD'], { cwd: workspace }),
  ]);
  if (packed !== head) throw new Error('The tarballs are of another commit. Pack this one: pnpm release:pack');
  const integrities = await Promise.all(packages.map(({ path }) => integrityOf(path)));
  const other = packages.find(({ integrity }, index) => integrity !== integrities[index]);
  if (other)
    throw new Error(`The tarball of ${other.name} is not the one that was checked. Pack again: pnpm release:pack`);
}

async function integrityOf(path: string): Promise<string> {
  return `sha256-${createHash('sha256')
    .update(await readFile(path))
    .digest('base64')}`;
}
