import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  // Each test puts back what it replaces, so files can share what a worker has loaded.
  isolate: false,
});
