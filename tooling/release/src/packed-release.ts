import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where `pnpm release:pack` puts the tarballs that `pnpm release:publish` takes, in the workspace. */
export const RELEASE_FOLDER = 'dist/release';

/** A package that is to be published. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** The dist-tag that will point to it. */
  readonly tag: string;
  /** Its tarball. */
  readonly path: string;
}

interface PublishPlan {
  readonly version: number;
  readonly plan: readonly (readonly PlannedRelease[])[];
}

interface PlannedRelease extends Omit<PackedPackage, 'path'> {
  readonly tarball: { readonly path: string };
}

/** What was packed in a workspace. */
export async function readPackedRelease(workspace: string): Promise<PackedPackage[]> {
  const folder = join(workspace, RELEASE_FOLDER);
  const { plan } = JSON.parse(await readFile(join(folder, 'publish-plan.json'), 'utf8')) as PublishPlan;
  return plan
    .flat()
    .map(({ name, version, tag, tarball }) => ({ name, version, tag, path: join(folder, tarball.path) }));
}

/** Lets another dist-tag than `latest` point to all that a plan will publish. */
export async function setTag(planFile: string, tag: string): Promise<void> {
  const { version, plan } = JSON.parse(await readFile(planFile, 'utf8')) as PublishPlan;
  const tagged = plan.map((group) => group.map((release) => ({ ...release, tag })));
  await writeFile(planFile, JSON.stringify({ version, plan: tagged }));
}
