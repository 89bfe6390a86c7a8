import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The mode of this folder and of those in it. */
export const PRIVATE_FOLDER = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/** The folder of everything that `hr` stores: `HR_HOME`, or `~/.hr`. */
export function homeFolder({ env }: Pick<NodeJS.Process, 'env'>): string {
  return env['HR_HOME'] || join(homedir(), '.hr');
}

/** Whether other users can exchange the files of a folder. Windows has no such modes. */
export function isOpenToOthers(folder: string): boolean {
  if (process.platform === 'win32') return false;
  return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & WRITABLE_BY_OTHERS) !== 0;
}
