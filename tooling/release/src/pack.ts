import { hash } from 'node:crypto';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readChangesets } from '@changesets/read';
import { checkAnnounced, checkCommitted, checkTag } from './check-release.ts';
import { checkTarball } from './check-tarball.ts';
import { command, type Report } from './command.ts';
import { publishedPackages } from './published-packages.ts';
import { run } from './run.ts';
import { sbomOf } from './sbom.ts';

/** The tarballs and what each consists of, from the root of the workspace. */
export const FOLDER = 'dist/release';

/** What `pnpm pack` prints of a package. */
interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly integrity: string;
}

if (import.meta.main) {
  await command(async (report) => {
    const { list } = await pack(process.cwd(), report);
    const output = process.env['GITHUB_OUTPUT'];
    if (output !== undefined) await appendFile(output, `release<<END\n${list}END\n`);
  });
}

/**
 * Packs and checks each package whose version has no git tag; with `--snapshot`, a snapshot of each with a changeset.
 *
 * @returns `list`, the files as `.ci/publish.mjs` and `.ci/tag` read them, and the options of the command.
 */
export async function pack(cwd: string, report: Report) {
  const options = { tag: { type: 'string' }, snapshot: { type: 'string' } } as const;
  const { snapshot, tag = snapshot ?? 'latest' } = parseArgs({ options }).values;
  checkTag(tag);
  if (snapshot === undefined) await checkCommitted(cwd);
  else await giveSnapshotVersions(cwd, snapshot);

  const isReleased = snapshot === undefined ? await tagged(cwd) : (id: string) => !id.includes(`@0.0.0-${snapshot}-`);
  const packages = await publishedPackages(cwd);
  const folders = new Map(
    packages
      .filter(({ packageJson: { name, version } }) => !isReleased(`${name}@${version}`))
      .map(({ dir, packageJson: { name } }) => [name, dir]),
  );
  await checkAnnounced(cwd, [...folders.keys()]);
  const folder = join(cwd, FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (folders.size === 0) {
    report('Every version has its git tag, so there is nothing to publish.');
    return { list: '', tag, snapshot };
  }
  const filters = Array.from(folders.keys(), (name) => `--filter=${name}`);
  // In the order of their dependencies.
  const printed = await run('pnpm', [...filters, 'pack', '--pack-destination', folder, '--json'], { cwd });
  const packed = [JSON.parse(printed) as Packed | Packed[]].flat();
  const lines: string[] = [];
  for (const { name, version, filename, integrity } of packed) {
    // oxlint-disable no-await-in-loop -- the checks of a tarball need much memory
    report(`${name}@${version}: ${await checkTarball(filename, folders.get(name) ?? '')}`);
    const sbom = await sbomOf(cwd, name);
    const file = filename.replace('.tgz', '.cdx.json');
    await writeFile(file, sbom);
    // oxlint-enable no-await-in-loop
    lines.push(`${integrity} ${basename(filename)} ${name}@${version}\n`);
    lines.push(`sha512-${hash('sha512', sbom, 'base64')} ${basename(file)} ${name}@${version}\n`);
  }
  report(lines.join('').trimEnd());
  return { list: lines.join(''), tag, snapshot };
}

/** Gives each package with a changeset a version of its pull request: 0.0.0-NAME-TIME. */
async function giveSnapshotVersions(cwd: string, name: string): Promise<void> {
  if ((await readChangesets(cwd)).every(({ releases }) => releases.length === 0)) {
    throw new Error('No package has a changeset, so there is no snapshot. Add one: pnpm changeset');
  }
  await run('changeset', ['version', '--snapshot', name], { cwd });
}

/** Whether a version has a git tag. The last step of a release adds it, so without one the release is not complete. */
async function tagged(cwd: string): Promise<(id: string) => boolean> {
  const [all, before] = await Promise.all(
    [[], ['--merged', 'HEAD']].map(async (args) => (await run('git', ['tag', ...args], { cwd })).split('\n')),
  );
  return (id) => {
    if (before?.includes(id)) return true;
    if (!all?.includes(id)) return false;
    throw new Error(
      `The tag ${id} is on a commit that this branch does not contain, so nothing is packed. ` +
        `Release on the branch that has it; if the tag is wrong, remove it: git push --delete origin ${id}`,
    );
  };
}
