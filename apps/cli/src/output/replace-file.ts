import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, realpath, rename, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../cli-error.ts';

const PRIVATE_FILE = 0o600;

/**
 * Writes a file and replaces an existing one. Until everything is on the disk, an existing file keeps its content and no
 * new file appears. It opens the file before it requests the first chunk.
 *
 * @param mode - By default, only the owner can read the file.
 *
 * @throws {CliError} If the file cannot be written.
 */
export async function replaceFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode = PRIVATE_FILE,
): Promise<void> {
  const place = await replacedPath(file);
  const temporary = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.tmp`);
  const remove = () => rmSync(temporary, { force: true });
  const handle = await explained(file, () => open(temporary, 'wx', PRIVATE_FILE));
  // A second Ctrl-C ends the process here.
  process.once('exit', remove);
  try {
    await writeAndClose(handle, file, chunks, mode);
    await explained(file, () => rename(temporary, place));
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('exit', remove);
  }
  await syncFolder(dirname(place));
}

/** The path that is renamed to: what a symbolic link points to. */
async function replacedPath(file: string): Promise<string> {
  const existing = await stat(file).catch(() => undefined);
  if (!existing) return file;
  if (existing.isDirectory()) throw new CliError(`Cannot write ${file}: it is a folder. Name a file in it.`);
  if (!existing.isFile()) throw new CliError(`Cannot write ${file}: it is not a regular file. Choose another one.`);
  return realpath(file);
}

async function writeAndClose(
  handle: FileHandle,
  file: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode: number,
): Promise<void> {
  await using _ = handle;
  // The umask has no say.
  await explained(file, () => handle.chmod(mode));
  for await (const chunk of chunks) await explained(file, () => handle.appendFile(chunk));
  await explained(file, () => handle.sync());
}

/** Makes the new name of a file survive a power failure, where folders can be opened (not on Windows). */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder).catch(() => undefined);
  await handle?.sync();
}

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist. Create it first.',
  ENOTDIR: 'a part of its path is not a folder. Choose another one.',
  EACCES: 'its folder is not writable. Choose another one, or change its permissions.',
  EPERM: 'its folder is not writable. Choose another one, or change its permissions.',
  EROFS: 'its disk is read-only. Choose another one.',
  ENOSPC: 'its disk is full. Free some space.',
  EDQUOT: 'your disk quota is used up. Free some space.',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one.',
};

async function explained<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CliError(`Cannot write ${file}: ${explanations[code] ?? `the system reported ${code}.`}`);
  }
}
