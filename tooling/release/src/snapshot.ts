import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readChangesets } from '@changesets/read';
import { command } from './command.ts';
import { isSnapshot } from './is-snapshot.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';

// Gives what has a changeset a version for this pull request alone: 0.0.0-NAME-TIME.
await command(async (report) => {
  const [name] = parseArgs({ allowPositionals: true }).positionals;
  if (!name || !/^[a-z][a-z0-9-]*$/.test(name)) throw new Error('Name the snapshot, such as pr-12.');
  const cwd = process.cwd();
  if ((await readChangesets(cwd)).every(({ releases }) => releases.length === 0)) {
    throw new Error('No package has a changeset, so there is nothing to try. Say what has changed: pnpm changeset');
  }
  await run('changeset', ['version', '--snapshot', name], { cwd });

  const packages = await publishedPackages(cwd);
  const snapshots = packages.filter(({ manifest }) => isSnapshot(manifest.version));
  const names = snapshots.map(({ manifest }) => manifest.name).join('|');
  for (const { folder, manifest } of snapshots) {
    const path = join(folder, 'package.json');
    // A caret would take a later snapshot of any other pull request.
    const carets = new RegExp(`("(?:${names})": "workspace:)\\^"`, 'g');
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(carets, '$1*"'));
    report(`${manifest.name}@${manifest.version}`);
  }
});
