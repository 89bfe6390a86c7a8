import { nodeTests } from 'tooling-vitest';

export default nodeTests({ globalSetup: ['test/contract-parts.ts'] });
