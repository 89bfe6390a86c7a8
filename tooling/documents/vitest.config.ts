import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  // All files share what a worker has loaded.
  isolate: false,
  maxWorkers: 1,
});
