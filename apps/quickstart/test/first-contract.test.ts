import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, contractProject, readPage, type ContractProject } from './contract-project.ts';

const page = await readPage('first-contract.md');

/** The files that the page tells to write, and what it says that commands print. */
const files = Array.from(page.matchAll(/^`([\w./-]+)`\n\n```ts\n(.*?)^```$/gms), ([, name = '', text = '']) => ({
  name,
  text,
}));
const [written = '', verified = '', failed = ''] = blocksOf(page, 'text');

let project: ContractProject;

beforeAll(async () => {
  project = await contractProject();
  await Promise.all(files.map(({ name, text }) => project.write(name, text)));
});
afterAll(() => project.remove());

function verify(): Promise<string> {
  const program = new URL('../../../packages/testing/bin/hr-contracts.js', import.meta.url);
  return project.node([program.pathname, 'verify', 'pacts']);
}

test('the page on a first contract is true from its first file to its last line', async () => {
  expect(files.map(({ name }) => name)).toEqual(['src/anniversaries.ts', 'vitest.config.ts', 'test/contract.test.ts']);
  const [told] = /^ Contracts\n(?: {3}.*\n)+/m.exec(await project.tests()) ?? [];
  expect(told).toBe(written);
  expect(await verify()).toBe(verified);

  const change = blocksOf(page, 'ts').find((block) => block.startsWith('given:')) ?? '';
  const contract = await project.read('test/contract.test.ts');
  await project.write('test/contract.test.ts', contract.replace(/^ +given: .*\n/m, change));
  // It is like a snapshot.
  expect(await project.tests()).toContain('pacts/anniversaries-hr-cloud.json differs from the tests');
  expect(await project.tests(['-u'])).toContain('pacts/anniversaries-hr-cloud.json written');
  expect(await verify()).toBe(failed);
});
