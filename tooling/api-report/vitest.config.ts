import { nodeTests } from 'tooling-vitest';

export default nodeTests({
  // Most of the work is to load a compiler, so all files do it once.
  isolate: false,
  maxWorkers: 1,
});
