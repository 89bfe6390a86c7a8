import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, contractProject, readPage, type ContractProject } from './contract-project.ts';

const [example = ''] = blocksOf(await readPage('contracts.md'), 'ts');

let project: ContractProject;

beforeAll(async () => {
  project = await contractProject();
});
afterAll(() => project.remove());

test('an interaction with all that a request has goes as the page shows', async () => {
  const settings = `
    import { contractFiles } from '@hr/testing/pact/vitest';

    export default { plugins: [contractFiles()] };
  `;
  await project.write('vitest.config.ts', settings);
  await project.write('test/contract.test.ts', example);
  expect(await project.tests()).toMatch(/Tests +1 passed/);
  const pact = JSON.parse(await project.read('pacts/payroll-batch-hr-cloud.json')) as unknown;
  expect(pact).toMatchObject({
    interactions: [
      {
        request: {
          path: '/api/v1/payrollContract/1-77/variable-payments',
          query: { billingPeriod: ['2026-01'] },
          body: { content: { compensationComponentId: 'BONUS', amount: 250 } },
        },
      },
    ],
  });
});
