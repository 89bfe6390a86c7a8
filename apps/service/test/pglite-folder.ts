import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPglite } from '../src/database/pglite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with an empty embedded database, to copy: making one takes two seconds. */
    pgliteFolder: string;
  }
}

/** Makes an empty embedded database, once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-pglite-'));
  const database = await openPglite(folder);
  await database.close();
  project.provide('pgliteFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
