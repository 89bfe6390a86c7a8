import { contractTests } from 'tooling-vitest';

export default contractTests();
