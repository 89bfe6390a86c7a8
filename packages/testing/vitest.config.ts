import { nodeTests } from 'tooling-vitest';

const aboutCi = ['test/pact-ci.test.ts'];
const shared = {
  // Each test puts back what it replaces, so files can share what a worker has loaded.
  isolate: false,
  globalSetup: ['test/contract-parts.ts'],
  // The runs of vitest in these tests are short: with much new memory, they hardly collect garbage.
  execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
};

// Tests run vitest in their own process, because another one takes twice as long. There, vitest looks at CI once.
export default nodeTests({
  projects: [
    { extends: false, ...nodeTests({ ...shared, name: 'local', exclude: aboutCi, env: { CI: '' } }) },
    { extends: false, ...nodeTests({ ...shared, name: 'ci', include: aboutCi, env: { CI: 'true' } }) },
  ],
});
