import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** The folder of a workspace where `pnpm release:pack` puts the tarballs for `pnpm release:publish`. */
export const RELEASE_FOLDER = 'dist/release';

const COMMIT_FILE = join(RELEASE_FOLDER, 'commit');

/** A version of a package that the registry does not have. */
export interface PlannedRelease {
  readonly name: string;
  readonly version: string;
}

/** A publish plan of Changesets: groups of packages, each after those that it depends on. */
export interface PublishPlan {
  readonly version: number;
  readonly plan: readonly (readonly PlanEntry[])[];
}

interface PlanEntry extends PlannedRelease {
  readonly tag: string;
  readonly tarball?: { readonly path: string; readonly integrity: string };
}

/** A package that is ready to publish. */
export interface PackedPackage extends PlannedRelease {
  /** The dist-tag that will point to it. */
  readonly tag: string;
  /** Its tarball. */
  readonly path: string;
}

/** Whether a version belongs to a pull request. It comes from a checkout with uncommitted changes. */
export function isSnapshot({ version }: PlannedRelease): boolean {
  return version.startsWith('0.0.0-');
}

/** Records the commit that the tarballs come from. */
export async function recordCommit(workspace: string): Promise<void> {
  await writeFile(join(workspace, COMMIT_FILE), await run('git', ['rev-parse', 'HEAD'], { cwd: workspace }));
}

/**
 * What was packed in a workspace.
 *
 * @throws {Error} If there is nothing, or if the commit or a tarball changed since its check.
 */
export async function readPackedRelease(workspace: string): Promise<PackedPackage[]> {
  const folder = join(workspace, RELEASE_FOLDER);
  const [head, packed] = await Promise.all([
    run('git', ['rev-parse', 'HEAD'], { cwd: workspace }),
    readFile(join(workspace, COMMIT_FILE), 'utf8').catch(() => undefined),
  ]);
  if (packed === undefined) throw new Error('Nothing is packed. Run pnpm release:pack');
  if (packed !== head) throw new Error('The tarballs come from another commit. Run pnpm release:pack again');
  const { plan } = JSON.parse(await readFile(join(folder, 'publish-plan.json'), 'utf8')) as PublishPlan;
  return Promise.all(
    plan.flat().map(async ({ name, version, tag, tarball = { path: '', integrity: '' } }) => {
      const path = join(folder, tarball.path);
      const digest = createHash('sha256').update(await readFile(path));
      if (`sha256-${digest.digest('base64')}` === tarball.integrity) return { name, version, tag, path };
      throw new Error(`The tarball of ${name} changed since its check. Run pnpm release:pack again`);
    }),
  );
}
