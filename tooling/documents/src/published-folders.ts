import { dirname } from 'node:path';
import type { PublishedFolder } from './link-faults.ts';
import { readWorkspaceFile, workspaceFiles } from './workspace.ts';

/** The packages that are published. */
export async function readPublishedFolders(): Promise<PublishedFolder[]> {
  const paths = await workspaceFiles('packages/*/package.json');
  return Promise.all(
    paths.map(async (path) => {
      const { files } = JSON.parse(await readWorkspaceFile(path)) as Pick<PublishedFolder, 'files'>;
      return { folder: dirname(path), files };
    }),
  );
}
