import { contractTests, demoSetup } from 'tooling-vitest';

export default contractTests({
  globalSetup: ['./test/temporary-folder.ts', demoSetup, './test/build-pages.ts'],
  // Its tests mostly wait for the browser, and they are often the last of the gate.
  maxWorkers: 2,
  // The test files of a process share the browser and what they import.
  isolate: false,
});
