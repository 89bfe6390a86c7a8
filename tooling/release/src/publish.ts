import { registryOfScope } from './check-release.ts';
import { command } from './command.ts';
import { isSnapshot, readPackedRelease, RELEASE_FOLDER } from './packed-release.ts';
import { run } from './run.ts';

// Publishes the tarballs that `pnpm release:pack` checked, and tags the commit with their versions.
await command(async (report) => {
  const cwd = process.cwd();
  const registry = await registryOfScope(cwd);
  const packages = await readPackedRelease(cwd);
  await run('changeset', ['publish', '--from-pack-dir', RELEASE_FOLDER], { cwd });
  for (const { name, version, tag } of packages) report(`${name}@${version} is on ${registry} as ${tag}`);
  // A release that failed before it tagged the commit gets its tags now.
  if (!packages.some(isSnapshot)) await run('changeset', ['git-tag'], { cwd });
});
