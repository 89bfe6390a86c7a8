import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';

const PRIVATE_FILE = 0o600;

/** A file that takes the place of another one when it is complete. */
export interface Replacement extends AsyncDisposable {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Puts it in its place, once everything is on the disk. */
  commit(): Promise<void>;
}

/**
 * Begins to write a file. Until it is committed, an existing file keeps its content and no new file appears.
 *
 * @param mode - By default, only the owner can read the file.
 * @param followsLink - Whether it replaces what a symbolic link points to, and not the link.
 * @throws {CliError} If the file cannot be written.
 */
export async function openReplacement(file: string, mode = PRIVATE_FILE, followsLink = true): Promise<Replacement> {
  const place = await replacedPath(file, followsLink);
  const temporary = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.tmp`);
  const remove = () => rmSync(temporary, { force: true });
  const handle = await explained(file, () => open(temporary, 'wx', PRIVATE_FILE));
  // A second Ctrl-C ends the process here.
  process.once('exit', remove);
  return {
    write: (chunk) => explained(file, () => handle.appendFile(chunk)),
    async commit() {
      await explained(file, async () => {
        // The umask has no say.
        await handle.chmod(mode);
        await handle.sync();
        await handle.close();
        await rename(temporary, place);
      });
      // The new name survives a power failure, where folders can be opened (not on Windows).
      await using folder = await open(dirname(place)).catch(() => undefined);
      await folder?.sync();
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      remove();
      process.off('exit', remove);
    },
  };
}

/** Writes a file as {@link openReplacement} does. It opens the file before it requests the first chunk. */
export async function replaceFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode?: number,
): Promise<void> {
  await using replacement = await openReplacement(file, mode);
  for await (const chunk of chunks) await replacement.write(chunk);
  await replacement.commit();
}

async function replacedPath(file: string, followsLink: boolean): Promise<string> {
  const existing = await stat(file).catch(() => undefined);
  if (!existing) return file;
  if (existing.isFile()) return followsLink ? realpath(file) : file;
  const reason = existing.isDirectory() ? 'a folder. Name a file in it.' : 'not a regular file. Choose another one.';
  throw new CliError(`Cannot write ${file}: it is ${reason}`, exitCodes.usage);
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
