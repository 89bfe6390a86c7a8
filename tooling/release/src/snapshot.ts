import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  const snapshots = (await publishedPackages(cwd)).filter(({ manifest }) => isSnapshot(manifest));
  const names = snapshots.map(({ manifest }) => manifest.name).join('|');
  // A caret would match later snapshots of other pull requests.
  const carets = new RegExp(`("(?:${names})": "workspace:)\\^"`, 'g');
  for (const { folder, manifest } of snapshots) {
    const path = join(folder, 'package.json');
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(carets, '$1*"'));
    report(`${manifest.name}@${manifest.version}`);
  }
});
