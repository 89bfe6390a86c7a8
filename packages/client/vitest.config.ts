import { contractTests } from 'tooling-vitest';

export default contractTests({
  // Each test puts back what it replaces, so files can share what a worker has loaded.
  isolate: false,
});
