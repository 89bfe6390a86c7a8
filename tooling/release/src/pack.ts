import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkDistTag } from './check-dist-tag.ts';
import { checkRelease } from './check-release.ts';
import { checkTarball } from './check-tarball.ts';
import { command } from './command.ts';
import { isSnapshot } from './is-snapshot.ts';
import { COMMIT_FILE, completePlan, readPackedRelease, readPlan, RELEASE_FOLDER } from './packed-release.ts';
import { publishedPackages } from './published-packages.ts';
import { registryOfScope } from './registry-of-scope.ts';
import { run } from './run.ts';
import { untaggedReleases } from './untagged-releases.ts';

// Packs each package whose version the registry does not have, and checks the tarballs.
await command(async (report) => {
  const { tag = 'latest' } = parseArgs({ options: { tag: { type: 'string' } } }).values;
  checkDistTag(tag);
  const cwd = process.cwd();
  await registryOfScope(cwd);
  const folder = join(cwd, RELEASE_FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const plan = join(folder, 'plan.json');
  await run('changeset', ['publish-plan', '--output', plan], { cwd });

  const missing = await readPlan(plan);
  const snapshots = missing.filter(({ version }) => isSnapshot(version));
  // A checkout with snapshots is made for them alone.
  const releases = snapshots.length > 0 ? snapshots : missing;
  await checkRelease(cwd, releases, tag);
  const packages = await publishedPackages(cwd);
  const untagged = snapshots.length > 0 ? [] : await untaggedReleases(cwd, packages, missing);
  await completePlan(plan, { releases, tag, untagged });
  await run('changeset', ['pack', '--from-publish-plan', plan, '--out-dir', RELEASE_FOLDER], { cwd });
  await writeFile(join(folder, COMMIT_FILE), await run('git', ['rev-parse', 'HEAD'], { cwd }));

  if (releases.length === 0) report('The registry has every version already.');
  for (const { name, version } of untagged) report(`${name}@${version} is on the registry, and will get its git tag`);
  for (const packed of await readPackedRelease(cwd)) {
    // oxlint-disable-next-line no-await-in-loop -- each is checked by two programs at once
    const { files, packedBytes } = await checkTarball(packed.path, folderOf(packed.name));
    const { name, version } = packed;
    report(`${name}@${version} for ${tag}: ${files.length} files, ${Math.ceil(packedBytes / 1024)} KiB`);
  }

  function folderOf(name: string): string {
    const found = packages.find(({ manifest }) => manifest.name === name);
    if (!found) throw new Error(`${name} is no published package of this workspace.`);
    return found.folder;
  }
});
