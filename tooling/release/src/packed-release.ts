import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where `pnpm release:pack` puts the tarballs that `pnpm release:publish` takes, in the workspace. */
export const RELEASE_FOLDER = 'dist/release';

/** In that folder, the commit that the tarballs were made of. */
export const COMMIT_FILE = 'commit';

/** A version of a package that the registry does not have. */
export interface PlannedRelease {
  readonly name: string;
  readonly version: string;
}

/** A package that is to be published. */
export interface PackedPackage extends PlannedRelease {
  /** The dist-tag that will point to it. */
  readonly tag: string;
  /** Its tarball. */
  readonly path: string;
  /** Subresource Integrity of the tarball that was checked. */
  readonly integrity: string;
}

/** A publish plan of Changesets. */
interface PublishPlan {
  readonly version: number;
  readonly plan: readonly (readonly PlanEntry[])[];
}

interface PlanEntry extends PlannedRelease {
  readonly kind: 'publish' | 'tag-only';
  readonly tag?: string;
  readonly tarball?: { readonly path: string; readonly integrity: string };
}

/** What the registry does not have, by a plan. */
export async function readPlan(planFile: string): Promise<PlannedRelease[]> {
  return (await read(planFile)).plan.flat().filter(({ kind }) => kind === 'publish');
}

/** What shall become of a plan. */
export interface Completion {
  /** What of it is published. */
  readonly releases: readonly PlannedRelease[];
  /** The dist-tag for that. */
  readonly tag: string;
  /** What was published before, when git got no tag for it. */
  readonly untagged: readonly PlannedRelease[];
}

export async function completePlan(planFile: string, { releases, tag, untagged }: Completion): Promise<void> {
  const { version, plan } = await read(planFile);
  const published = plan.map((group) =>
    group.filter(({ name }) => releases.some((release) => release.name === name)).map((entry) => ({ ...entry, tag })),
  );
  const tagOnly = untagged.map((release): PlanEntry => ({ kind: 'tag-only', ...release }));
  const groups = [...published, tagOnly].filter((group) => group.length > 0);
  await writeFile(planFile, JSON.stringify({ version, plan: groups }));
}

/**
 * What was packed in a workspace.
 *
 * @throws {Error} When nothing was.
 */
export async function readPackedRelease(workspace: string): Promise<PackedPackage[]> {
  const folder = join(workspace, RELEASE_FOLDER);
  const { plan } = await read(join(folder, 'publish-plan.json')).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('Nothing is packed. Begin with pnpm release:pack') : error;
  });
  return plan.flat().flatMap(({ kind, name, version, tag = '', tarball }) => {
    if (kind !== 'publish' || !tarball) return [];
    return [{ name, version, tag, path: join(folder, tarball.path), integrity: tarball.integrity }];
  });
}

async function read(planFile: string): Promise<PublishPlan> {
  return JSON.parse(await readFile(planFile, 'utf8')) as PublishPlan;
}
