import { join, relative } from 'node:path';
import type { PublishedPackage } from './published-packages.ts';
import { attempt } from './run.ts';
import type { Manifest } from './tarball.ts';

/** The package.json that a package had at a commit; nothing where there was none. */
export async function manifestAt(
  commit: string,
  workspace: string,
  { folder }: PublishedPackage,
): Promise<Manifest | undefined> {
  const path = relative(workspace, join(folder, 'package.json'));
  const { succeeded, stdout } = await attempt('git', ['show', `${commit}:${path}`], { cwd: workspace });
  return succeeded ? (JSON.parse(stdout) as Manifest) : undefined;
}
