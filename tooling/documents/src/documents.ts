import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import { readWorkspaceFile, workspaceFiles } from './workspace.ts';

/** For whoever works here, and for whoever installs a package. */
const PATTERNS = ['*.md', 'docs/**/*.md', 'apps/*/README.md', 'packages/*/README.md', 'packages/*/docs/*.md'];

/** Every page that somebody is expected to follow. */
export async function readDocuments(): Promise<Document[]> {
  const paths = (await Promise.all(PATTERNS.map(workspaceFiles))).flat();
  return Promise.all(paths.map(async (path) => readDocument(path, await readWorkspaceFile(path))));
}
