import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  // Each test puts back what it replaces, so files can share what a worker has loaded.
  isolate: false,
  // The projects that tests run are not in CI, so that they run in this process: a process each takes half as long again.
  env: { CI: '' },
  globalSetup: ['test/contract-parts.ts'],
});
