import { contractTests } from 'tooling-vitest';

export default contractTests({ globalSetup: './test/demo.ts' });
