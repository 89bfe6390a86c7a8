import { readPackedRelease } from '../packed-release.ts';
import { checkAccess } from './registry-access.ts';
import type { Stage } from './stage.ts';

/** Packs, checks and publishes what the registry does not have. Gives the versions by name. */
export async function release(stage: Stage, packCommand = 'pnpm release:pack'): Promise<Record<string, string>> {
  const { copy, registry, report, maintainer } = stage;
  await maintainer(packCommand);
  const packages = await readPackedRelease(copy);
  await maintainer('pnpm release:publish');
  await Promise.all(packages.map((one) => checkAccess(registry, one)));
  for (const { name, version, tag } of packages)
    report(`  ${name}@${version} is published as ${tag}, for readers only`);
  return Object.fromEntries(packages.map(({ name, version }) => [name, version]));
}
