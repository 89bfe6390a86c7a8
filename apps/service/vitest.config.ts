import { nodeTests } from 'tooling-vitest';

export default nodeTests({ globalSetup: 'test/postgres-server.ts', testTimeout: 30_000, hookTimeout: 60_000 });
