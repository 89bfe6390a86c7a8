import { nodeTests } from 'tooling-vitest';

export default nodeTests();
