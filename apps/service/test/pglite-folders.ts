import { cpSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/database/migrate.ts';
import { openPglite } from '../src/database/pglite.ts';

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

/** A folder in memory, on Linux: a database is a thousand files, and on a disk they take most of a test's start. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

/** Makes the embedded databases that tests copy, once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'hr-pglite-'));
  const folders = { bare: join(folder, 'bare'), empty: join(folder, 'empty') };
  const bare = await openPglite(folders.bare);
  await bare.close();
  cpSync(folders.bare, folders.empty, { recursive: true });
  const empty = await openPglite(folders.empty);
  await migrate(empty);
  await empty.close();
  project.provide('pgliteFolders', folders);
  return () => rm(folder, { recursive: true, force: true });
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
