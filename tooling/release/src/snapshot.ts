import { parseArgs } from 'node:util';
import { readChangesets } from '@changesets/read';
import { command } from './command.ts';
import { isSnapshot } from './packed-release.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

// Gives each package with a changeset a version of its pull request: 0.0.0-NAME-TIME.
await command(async (report) => {
  const [name = ''] = parseArgs({ allowPositionals: true }).positionals;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error('Name the snapshot, such as pr-12.');
  const cwd = process.cwd();
  if ((await readChangesets(cwd)).every(({ releases }) => releases.length === 0)) {
    throw new Error('No package has a changeset, so there is no snapshot. Add one: pnpm changeset');
  }
  await run('changeset', ['version', '--snapshot', name], { cwd });
  for (const { manifest } of await publishedPackages(cwd)) {
    if (isSnapshot(manifest)) report(`${manifest.name}@${manifest.version}`);
  }
});
