import { command } from './command.ts';
import { checkPacked } from './check-packed.ts';
import { readPackedRelease, RELEASE_FOLDER } from './packed-release.ts';
import { registryOfScope } from './registry-of-scope.ts';
import { run } from './run.ts';

// Publishes the tarballs that were packed and checked, and tags the commit with their versions.
await command(async (report) => {
  const cwd = process.cwd();
  const registry = await registryOfScope(cwd);
  const packages = await readPackedRelease(cwd);
  await checkPacked(cwd, packages);
  await run('changeset', ['publish', '--from-pack-dir', RELEASE_FOLDER], { cwd });
  for (const { name, version, tag } of packages) report(`${name}@${version} is on ${registry} as ${tag}`);
});
