import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkTarball } from './check-tarball.ts';
import { command } from './command.ts';
import { readPackedRelease, RELEASE_FOLDER, setTag } from './packed-release.ts';
import { publishedPackages } from './published-packages.ts';
import { registryOfScope } from './registry-of-scope.ts';
import { run } from './run.ts';

// Packs each package whose version the registry does not have, and checks the tarballs.
await command(async (report) => {
  const { tag = 'latest' } = parseArgs({ options: { tag: { type: 'string' } } }).values;
  const cwd = process.cwd();
  await registryOfScope(cwd);
  await rm(join(cwd, RELEASE_FOLDER), { recursive: true, force: true });
  const plan = join(RELEASE_FOLDER, 'plan.json');
  await run('changeset', ['publish-plan', '--output', plan], { cwd });
  await setTag(join(cwd, plan), tag);
  await run('changeset', ['pack', '--from-publish-plan', plan, '--out-dir', RELEASE_FOLDER], { cwd });

  const packed = await readPackedRelease(cwd);
  if (packed.length === 0) report('The registry has every version already.');
  const packages = new Map((await publishedPackages(cwd)).map((one) => [one.manifest.name, one.folder]));
  for (const { name, version, path } of packed) {
    // oxlint-disable-next-line no-await-in-loop -- each is checked by two programs at once
    const { files, packedBytes } = await checkTarball(path, packages.get(name) ?? '');
    report(`${name}@${version} for ${tag}: ${files.length} files, ${Math.ceil(packedBytes / 1024)} KiB`);
  }
});
