import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/**
 * Makes a folder for databases, in memory where a machine has such: a database is a thousand files, and on a disk
 * to make and delete them is most of the work of a test.
 */
export function memoryFolder(prefix: string): Promise<string> {
  return mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
