import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  globalSetup: ['test/postgres-server.ts', 'test/pglite-folder.ts'],
  maxWorkers: '100%',
});
