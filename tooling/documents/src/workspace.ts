import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of all that is here. Paths of this package are relative to it. */
export const workspace = fileURLToPath(new URL('../../..', import.meta.url));

export function readWorkspaceFile(path: string): Promise<string> {
  return readFile(join(workspace, path), 'utf8');
}

/** The files that match a pattern, by name. */
export async function workspaceFiles(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: workspace })) paths.push(path);
  return paths.toSorted();
}
