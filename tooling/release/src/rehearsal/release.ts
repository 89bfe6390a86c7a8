import { readPackedRelease } from '../packed-release.ts';
import { checkAccess } from './registry-access.ts';
import type { Stage } from './stage.ts';

/** A maintainer packs, checks and publishes what the registry does not have. Gives the versions by name. */
export async function releaseByHand(stage: Stage): Promise<Record<string, string>> {
  await stage.maintainer('pnpm release:pack');
  await stage.maintainer('pnpm release:publish');
  return checkRelease(stage);
}

/** A workflow packs, checks and publishes what the registry does not have. Gives the versions by name. */
export async function releaseByWorkflow(
  stage: Stage,
  name: string,
  expressions: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  await stage.workflow(name, expressions);
  return checkRelease(stage);
}

async function checkRelease({ copy, registry, report }: Stage): Promise<Record<string, string>> {
  const packages = await readPackedRelease(copy);
  await Promise.all(packages.map((one) => checkAccess(registry, one)));
  for (const { name, version, tag } of packages)
    report(`  ${name}@${version} is published as ${tag}, for readers only`);
  return Object.fromEntries(packages.map(({ name, version }) => [name, version]));
}
