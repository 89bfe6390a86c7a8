import { demoSetup, nodeTests } from 'tooling-vitest';

export default nodeTests({ globalSetup: demoSetup });
