import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { newFile } from './mirror-cloud.ts';

interface Result {
  readonly opening: string;
  readonly attempts: readonly {
    readonly version: number;
    readonly sync: string;
    readonly seen: number;
    readonly log: string;
    readonly consumed: number;
  }[];
}

/** Maximum size of each file, in blocks of `ulimit`: 512 or 1024 bytes. */
const limits = [8, 64, 128, 256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 65_536];

test.skipIf(process.platform === 'win32')(
  'on a disk of any size, a sync is stored and told of, or fails with a MirrorError and leaves the mirror as it was',
  async () => {
    const folder = dirname(newFile());
    const program = await bundleProgram(new URL('mirror-in-little-space.ts', import.meta.url), folder);
    const codes = new Set<string>();
    for (const limit of limits) {
      const file = join(folder, `${limit}`, 'mirror.db');
      mkdirSync(dirname(file));
      const script = `ulimit -f ${limit}; exec "$0" "$@"`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, program, file]);
      const { opening, attempts } = JSON.parse(stdout) as Result;
      expect(['none', 'cannot-open', 'cannot-write']).toContain(opening);
      let stored = 0;
      let told = 0;
      for (const { version, sync, seen, log, consumed } of attempts) {
        expect(['none', 'cannot-write']).toContain(sync);
        if (sync === 'none') stored = version;
        expect(seen).toBe(stored);
        expect(['none', 'cannot-write']).toContain(log);
        if (log === 'none') told = stored;
        expect(consumed).toBeGreaterThanOrEqual(told);
        codes.add(sync);
      }
    }
    // Some were too small, and some were not.
    expect([...codes].toSorted()).toEqual(['cannot-write', 'none']);
  },
);
