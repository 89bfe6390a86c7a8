import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkRelease, registryOfScope } from './check-release.ts';
import { checkTarball } from './check-tarball.ts';
import { command } from './command.ts';
import { isSnapshot, packedTarballs, recordCommit, RELEASE_FOLDER } from './packed-release.ts';
import type { PlannedRelease } from './packed-release.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

// Packs each package whose version the registry does not have, and checks the tarballs.
await command(async (report) => {
  const { tag = 'latest' } = parseArgs({ options: { tag: { type: 'string' } } }).values;
  const cwd = process.cwd();
  await registryOfScope(cwd);
  const folder = join(cwd, RELEASE_FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const planFile = join(folder, 'plan.json');
  await run('changeset', ['publish-plan', '--output', planFile], { cwd });

  // Groups of packages, each after those that it depends on.
  const { plan, ...format } = JSON.parse(await readFile(planFile, 'utf8')) as { readonly plan: PlannedRelease[][] };
  // A checkout with snapshots publishes only them.
  const onlySnapshots = plan.flat().some(isSnapshot);
  const groups = plan.map((group) =>
    group.filter((entry) => !onlySnapshots || isSnapshot(entry)).map((entry) => ({ ...entry, tag })),
  );
  await checkRelease(cwd, groups.flat(), tag);
  await writeFile(planFile, JSON.stringify({ ...format, plan: groups }));
  await run('changeset', ['pack', '--from-publish-plan', planFile, '--out-dir', RELEASE_FOLDER], { cwd });

  const packages = await publishedPackages(cwd);
  const packed = await packedTarballs(cwd);
  for (const { name, version, path } of packed) {
    const source = packages.find(({ manifest }) => manifest.name === name)?.folder ?? '';
    // oxlint-disable-next-line no-await-in-loop -- the checks of a tarball need much memory
    report(`${name}@${version} for ${tag}: ${await checkTarball(path, source)}`);
  }
  await recordCommit(cwd);
  if (packed.length === 0) report('The registry has every version already.');
});
