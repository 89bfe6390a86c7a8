import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How the command line reaches the process that holds a database folder. */
export interface OperatorAccess {
  readonly url: string;
  /** An operator's bearer token that this process alone takes. */
  readonly token: string;
}

/** Leaves the access in the folder, for nobody but this user to read. */
export async function writeOperatorAccess(folder: string, access: OperatorAccess): Promise<void> {
  const unfinished = `${pathIn(folder)}.new`;
  // A file that is there already would keep its mode.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, JSON.stringify(access), { mode: 0o600 });
  await rename(unfinished, pathIn(folder));
}

/** The access that is left in a folder; one that a killed process left behind opens nothing. */
export async function readOperatorAccess(folder: string): Promise<OperatorAccess | undefined> {
  try {
    return JSON.parse(await readFile(pathIn(folder), 'utf8')) as OperatorAccess;
  } catch {
    return undefined;
  }
}

export async function removeOperatorAccess(folder: string): Promise<void> {
  await rm(pathIn(folder), { force: true });
}

function pathIn(folder: string): string {
  return join(folder, 'operator.json');
}
