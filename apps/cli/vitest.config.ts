import { contractTests, demoSetup } from 'tooling-vitest';

export default contractTests({ globalSetup: demoSetup });
