import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const jsonExtensions: ReadonlySet<string> = new Set(['.json', '.jsonc']);
export const typeScriptExtensions: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mts', '.cts']);
const skippedFolders = new Set(['node_modules', 'dist', '.git']);

/** A folder, and the Git work tree that it is in. */
interface Folder {
  readonly path: string;
  readonly workTree: string | undefined;
}

/**
 * The JSON and TypeScript files of files and folders, without those that Git ignores. A file that is given counts even
 * then. Links inside a folder are not followed.
 */
export async function sourceFiles(paths: readonly string[]): Promise<string[]> {
  const given = await Promise.all(paths.map((path) => realpath(path)));
  const folders = await Promise.all(
    given.map(async (path) =>
      (await stat(path)).isDirectory() ? { path, workTree: await workTreeOf(path) } : undefined,
    ),
  );
  const files = new Set(given.filter((_, index) => folders[index] === undefined));
  let level: Folder[] = folders.filter((folder) => folder !== undefined);
  // oxlint-disable no-await-in-loop -- level by level: an ignored folder is not read, and Git runs once a level
  while (level.length > 0) {
    const found = await Promise.all(level.map(entriesOf));
    const ignored = await ignoredOf(found.flat());
    level = [];
    for (const { path, workTree, isFolder } of found.flat()) {
      if (ignored.has(path)) continue;
      if (isFolder) level.push({ path, workTree });
      else files.add(path);
    }
  }
  // oxlint-enable no-await-in-loop
  return [...files].toSorted();
}

export function isSource(path: string): boolean {
  return jsonExtensions.has(extname(path)) || typeScriptExtensions.has(extname(path));
}

async function entriesOf({ path, workTree }: Folder): Promise<(Folder & { isFolder: boolean })[]> {
  const entries = await readdir(path, { withFileTypes: true });
  // A submodule, or a clone inside another one, has rules of its own.
  const inner = entries.some(({ name }) => name === '.git') ? path : workTree;
  return entries
    .filter((entry) => (entry.isDirectory() ? !skippedFolders.has(entry.name) : entry.isFile() && isSource(entry.name)))
    .map((entry) => ({ path: join(path, entry.name), workTree: inner, isFolder: entry.isDirectory() }));
}

async function workTreeOf(path: string): Promise<string | undefined> {
  const names = await readdir(path);
  if (names.includes('.git')) return path;
  return dirname(path) === path ? undefined : workTreeOf(dirname(path));
}

async function ignoredOf(entries: readonly Folder[]): Promise<Set<string>> {
  const byWorkTree = [...Map.groupBy(entries, ({ workTree }) => workTree)];
  const ignored = byWorkTree.map(async ([workTree, inside]) => {
    if (workTree === undefined) return [];
    // The configuration of a work tree can name a program as its monitor, which Git would run.
    const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '-z', '--stdin'];
    const git = spawn('git', args, { cwd: workTree, stdio: ['pipe', 'pipe', 'ignore'] });
    const closed = once(git, 'close');
    // It reads nothing if it does not start.
    git.stdin.on('error', () => undefined);
    git.stdin.end(inside.map(({ path }) => `${path}\0`).join(''));
    const [output] = await Promise.all([text(git.stdout), closed.catch(() => undefined)]);
    return output.split('\0');
  });
  return new Set((await Promise.all(ignored)).flat());
}
