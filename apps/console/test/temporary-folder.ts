import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the tests a folder for temporary files: a browser ends with the process of its tests, and leaves its profile. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
