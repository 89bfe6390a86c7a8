import { demoSetup, nodeTests } from 'tooling-vitest';

export default nodeTests({
  globalSetup: demoSetup,
  // The tests of a team's project run in the process of these tests, which loads vitest once for all of them.
  isolate: false,
  env: { CI: '' },
  execArgv: ['--conditions=@hr/source'],
});
