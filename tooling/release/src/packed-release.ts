import { hash } from 'node:crypto';
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

/** A package that is ready to publish. */
export interface PackedPackage extends PlannedRelease {
  /** The dist-tag that will point to it. */
  readonly tag: string;
  /** Its tarball. */
  readonly path: string;
}

interface PackedPlan {
  readonly plan: readonly (readonly (PackedPackage & {
    readonly tarball: { readonly path: string; readonly integrity: string };
  })[])[];
}

/** Whether a version belongs to a pull request. It comes from a checkout with uncommitted changes. */
export function isSnapshot({ version }: PlannedRelease): boolean {
  return version.startsWith('0.0.0-');
}

/** Records the commit that the tarballs come from, after their check. */
export async function recordCommit(workspace: string): Promise<void> {
  await writeFile(join(workspace, COMMIT_FILE), await commitOf(workspace));
}

/**
 * What was packed and checked in a workspace.
 *
 * @throws {Error} If there is nothing, or if the commit or a tarball changed since its check.
 */
export async function readPackedRelease(workspace: string): Promise<PackedPackage[]> {
  const commit = await readFile(join(workspace, COMMIT_FILE), 'utf8').catch(() => undefined);
  if (commit === undefined) throw new Error('No tarballs have passed the checks. Run pnpm release:pack');
  if (commit === (await commitOf(workspace))) return packedTarballs(workspace);
  throw new Error('The tarballs come from another commit. Run pnpm release:pack again');
}

/** What was packed in a workspace, checked or not. */
export async function packedTarballs(workspace: string): Promise<PackedPackage[]> {
  const folder = join(workspace, RELEASE_FOLDER);
  const { plan } = JSON.parse(await readFile(join(folder, 'publish-plan.json'), 'utf8')) as PackedPlan;
  return Promise.all(
    plan.flat().map(async ({ name, version, tag, tarball }) => {
      const path = join(folder, tarball.path);
      const integrity = `sha256-${hash('sha256', await readFile(path), 'base64')}`;
      if (integrity === tarball.integrity) return { name, version, tag, path };
      throw new Error(`The tarball of ${name} changed since its check. Run pnpm release:pack again`);
    }),
  );
}

function commitOf(workspace: string): Promise<string> {
  return run('git', ['rev-parse', 'HEAD'], { cwd: workspace });
}
