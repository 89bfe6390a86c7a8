import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of everything that `hr` stores: `HR_HOME`, or `~/.hr`. */
export function homeFolder({ env }: Pick<NodeJS.Process, 'env'>): string {
  return env['HR_HOME'] || join(homedir(), '.hr');
}
