import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkRelease } from './check-release.ts';
import { checkTarball } from './check-tarball.ts';
import { command } from './command.ts';
import { isSnapshot, readPackedRelease, recordCommit, RELEASE_FOLDER } from './packed-release.ts';
import type { PublishPlan } from './packed-release.ts';
import { publishedPackages } from './published-packages.ts';
import { registryOfScope } from './registry-of-scope.ts';
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

  const { version, plan } = JSON.parse(await readFile(planFile, 'utf8')) as PublishPlan;
  // A checkout with snapshots publishes only them.
  const onlySnapshots = plan.flat().some(isSnapshot);
  const groups = plan.map((group) =>
    group.filter((entry) => !onlySnapshots || isSnapshot(entry)).map((entry) => ({ ...entry, tag })),
  );
  await checkRelease(cwd, groups.flat(), tag);
  await writeFile(planFile, JSON.stringify({ version, plan: groups.filter((group) => group.length > 0) }));
  await run('changeset', ['pack', '--from-publish-plan', planFile, '--out-dir', RELEASE_FOLDER], { cwd });
  await recordCommit(cwd);

  const packed = await readPackedRelease(cwd);
  const folders = new Map((await publishedPackages(cwd)).map((one) => [one.manifest.name, one.folder]));
  for (const { name, version: packedVersion, path } of packed) {
    // oxlint-disable-next-line no-await-in-loop -- the checks of a tarball need much memory
    const { files, packedBytes } = await checkTarball(path, folders.get(name) ?? '');
    report(`${name}@${packedVersion} for ${tag}: ${files.length} files, ${Math.ceil(packedBytes / 1024)} KiB`);
  }
  if (packed.length === 0) report('The registry has every version already.');
});
