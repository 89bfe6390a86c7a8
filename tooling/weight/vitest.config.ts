import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  // All files load the bundler once.
  isolate: false,
  maxWorkers: 1,
});
