import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { getSystemErrorMessage, promisify } from 'node:util';

const skippedFolders = new Set(['node_modules', 'dist', '.git']);

/**
 * The files in files and folders, without those that Git ignores. A file that is given counts even then. Links inside a
 * folder are not followed. A folder that cannot be read counts as a file.
 */
export async function filesIn(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => await filesAt(await realpath(path), true)));
  return [...new Set(found.flat())].toSorted();
}

async function filesAt(path: string, isGiven: boolean): Promise<string[]> {
  // Git lists a file that it knows also after it was deleted.
  const entry = await lstat(path).catch(() => undefined);
  if (entry?.isDirectory() !== true) return entry?.isFile() === true ? [path] : [];
  // A submodule, or a clone inside another one, has rules of its own.
  const isWorkTree = isGiven || existsSync(join(path, '.git'));
  const names = (isWorkTree ? await namesByGit(path) : undefined) ?? (await readdir(path).catch(() => undefined));
  if (!names) return [path];
  const kept = names.filter((name) => name.split('/').every((part) => !skippedFolders.has(part)));
  return (await Promise.all(kept.map((name) => filesAt(join(path, name), false)))).flat();
}

/** What Git knows or does not ignore in a folder of a work tree. */
async function namesByGit(folder: string): Promise<string[] | undefined> {
  // The configuration of a work tree can name a program as its monitor, which Git would run.
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: Infinity });
    return stdout.split('\0').filter((name) => name !== '');
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 2 ** 28;
/** Why a file without text is not read. */
export const BINARY = 'binary';

/** The text of a file with its byte order mark, or the reason why there is none. */
export function readText(file: string): { readonly text?: string; readonly reason?: string } {
  try {
    // Such as a video, whose files end in .ts too.
    if (statSync(file).size > MAX_BYTES) return { reason: 'larger than 256 MiB' };
    const bytes = readFileSync(file);
    // Another encoding would not survive.
    if (isUtf8(bytes) && !bytes.includes(0)) return { text: bytes.toString('utf8') };
    const isUtf16 = /^(?:\xFF\xFE|\xFE\xFF)/.test(bytes.toString('latin1', 0, 2));
    return { reason: bytes.includes(0) && !isUtf16 ? BINARY : 'not UTF-8' };
  } catch (error) {
    return { reason: getSystemErrorMessage((error as { readonly errno: number }).errno) };
  }
}
