import { availableParallelism } from 'node:os';
import { nodeTests } from 'tooling-vitest';
import { shortLived } from './test/short-lived.ts';

export default nodeTests({
  globalSetup: ['test/postgres-server.ts', 'test/pglite-folders.ts'],
  // Threads and many small collections would take more of two cores than they save.
  execArgv: [...shortLived, '--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
  // Files share what is loaded and compiled, the embedded database above all; none may leave anything behind.
  isolate: false,
  // Some tests wait for time to pass, and leave a core to others.
  maxWorkers: availableParallelism() + 1,
  expect: { poll: { timeout: 240_000 } },
});
