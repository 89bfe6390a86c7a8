import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { invalidPact, parsePact, type Pact } from './pact.ts';

/** Markdown, and names that start with a dot. */
const NO_PACT = /\.md$|(?:^|[\\/])\./i;

/**
 * Reads the pacts of files and folders with their subfolders, each once, sorted by name. All files in a folder must be
 * pacts, except Markdown and names that start with a dot.
 *
 * @throws {HrTestingError} `invalid-pact` if a path has no pact, or a file is not a pact of `hr-cloud` in specification
 * 3 or 4.
 */
export async function readPacts(paths: readonly string[]): Promise<readonly Pact[]> {
  if (paths.length === 0) throw invalidPact('No pacts are named. Name files, or folders of them.');
  if (paths.includes('')) throw invalidPact('A path of PACTS is empty. Name a file or a folder.');
  const found = (await Promise.all(paths.map(filesAt))).flat().toSorted();
  const once = new Map(found.map((file) => [resolve(file), file]));
  return Promise.all(
    [...once.values()].map(async (file) =>
      parsePact((await readable(file, readFile(file, 'utf8'))).replace(/^\uFEFF/, ''), file),
    ),
  );
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await readable(path, stat(path))).isDirectory()) return [path];
  const entries = await readable(path, readdir(path, { recursive: true, withFileTypes: true }));
  const all = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  const files = all.filter((file) => !NO_PACT.test(relative(path, file)));
  const hidden = all.find((file) => /\.json$/i.test(file) && !files.includes(file));
  if (hidden !== undefined)
    throw invalidPact(`${hidden} is hidden, as a name in its path starts with a dot. Rename or move it.`);
  const other = files.find((file) => !/\.json$/i.test(file));
  if (other !== undefined) throw invalidPact(`${other} is not a pact. Move it out of ${path}, or name it .json.`);
  if (files.length > 0) return files;
  throw invalidPact(`${path} has no pacts. Correct the path, or add a .json file.`);
}

async function readable<Value>(path: string, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw invalidPact(`${path} ${why}. Correct the path.`, { cause: error });
  });
}
