import { nodeTests } from 'tooling-vitest';
import { shortLived } from './test/short-lived.ts';

export default nodeTests({
  globalSetup: ['test/postgres-server.ts', 'test/pglite-folders.ts'],
  execArgv: shortLived,
  // Some tests wait for time to pass, and leave a core to others.
  maxWorkers: '150%',
  // Processes start slowly on a busy machine; nothing here asserts speed.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
});
