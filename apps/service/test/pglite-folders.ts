import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/database/migrate.ts';
import { openPglite } from '../src/database/pglite.ts';
import { memoryFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folders with embedded databases, to copy: making one takes seconds. */
    pgliteFolders: {
      /** One without any table. */
      readonly bare: string;
      /** One with the tables of the service, and nothing in them. */
      readonly empty: string;
    };
  }
}

/** Makes the embedded databases that tests copy, once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await memoryFolder('hr-pglite-');
  const folders = { bare: join(folder, 'bare'), empty: join(folder, 'empty') };
  const bare = await openPglite(folders.bare);
  // Two thirds of the files to copy, and nothing reads them.
  await bare.query('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) {
    // oxlint-disable-next-line no-await-in-loop -- outside of a transaction, one after the other
    await bare.query(`drop database ${name}`);
  }
  await bare.close();
  cpSync(folders.bare, folders.empty, { recursive: true });
  const empty = await openPglite(folders.empty);
  await migrate(empty);
  await empty.close();
  project.provide('pgliteFolders', folders);
  return () => rm(folder, { recursive: true, force: true });
}
