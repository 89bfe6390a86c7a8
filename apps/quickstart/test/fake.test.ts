import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, contractProject, readPage, type ContractProject } from './contract-project.ts';

const [section = ''] = /^### A fake HR Cloud$.*?^### /ms.exec(await readPage('../README.md')) ?? [];
const [example = ''] = blocksOf(section, 'ts');

let project: ContractProject;

beforeAll(async () => {
  project = await contractProject();
});
afterAll(() => project.remove());

test("the tests of the fake's section pass as the README shows them", async () => {
  await project.write('vitest.config.ts', 'export default {};');
  await project.write('test/payroll.test.ts', example);
  expect(await project.tests()).toMatch(/Tests +3 passed/);
});
