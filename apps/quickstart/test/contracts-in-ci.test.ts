import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import type { StateName, StateParameters } from '@hr/testing/states';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { blocksOf, contractProject, readPage, type ContractProject } from './contract-project.ts';

const page = await readPage('contracts-in-ci.md');
const [driftTest = '', verification = ''] = blocksOf(page, 'ts');
const [drift = '', passed = '', refusal = ''] = blocksOf(page, 'text');
const commands = blocksOf(page, 'sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx')));
const records = commands.filter((line) => line.includes('--records'));

const contract = `
  import { staticToken } from '@hr/auth';
  import { createHrClient } from '@hr/client';
  import { consumer } from '@hr/testing/pact';
  import { expect, test } from 'vitest';

  test('the persons by first name', async () => {
    const { run } = consumer({ name: 'payroll-batch' }).interaction('listPersons', {
      given: ['a person', { id: '4711', firstName: 'Zoë' }],
      example: [{ id: '4711', firstName: 'Zoë' }],
    });
    const persons = await run(({ baseUrl, token }) =>
      createHrClient({ baseUrl, auth: staticToken(token) }).persons.list(),
    );
    expect(persons).toEqual([{ id: '4711', firstName: 'Zoë' }]);
  });
`;
// All tokens that contracts have, as on the page on the first contract.
const refusals = `
  test.each([...consumer({ name: 'payroll-batch' }).errors('listPersons', [401, 403])])('$description', async ({ run }) => {
    const persons = run(({ baseUrl, token }) => createHrClient({ baseUrl, auth: staticToken(token) }).persons.list());
    await expect(persons).rejects.toThrow('listPersons');
  });
`;
const settings = `
  import { contractFiles } from '@hr/testing/pact/vitest';

  export default { plugins: [contractFiles()] };
`;

let project: ContractProject;

beforeAll(async () => {
  project = await contractProject();
  await project.write('vitest.config.ts', settings);
  await project.write('test/contract.test.ts', contract + refusals);
  await project.tests();
});
afterAll(() => project.remove());

/** Runs a command of the page, without its comment. */
function run(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const [, args = ''] = /^npx hr-contracts ([^#]+)/.exec(line) ?? [];
  const program = new URL('../../../packages/testing/bin/hr-contracts.js', import.meta.url);
  return project.node([program.pathname, ...args.trim().split(' ')], env);
}

/** A command of the page without a broker. */
function recordsCommand(part: string, name: string): string {
  return records.find((each) => each.includes(` ${part} `) && each.includes(`--participant ${name} `)) ?? '';
}

async function setUp(fake: RunningFakeHrCloud, request: IncomingMessage): Promise<void> {
  const change = (await json(request)) as { action: string; state: StateName; params: StateParameters<StateName> };
  if (change.action === 'reset') fake.reset();
  if (change.action === 'setup') fake.state(...([change.state, change.params] as Parameters<typeof fake.state>));
}

/** Sets up the states of a fake by an address, as the page says of a provider. */
async function statesUrl(fake: RunningFakeHrCloud): Promise<string> {
  const server = createServer((request, response) => {
    void setUp(fake, request).then(() => response.end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/states`;
}

test('contracts are compared with the API as the page shows', async () => {
  const [command = ''] = commands;
  expect(await run(command)).toBe(drift);
  await project.write('test/drift.test.ts', driftTest);
  expect(await project.tests(['test/drift.test.ts'])).toMatch(/Tests +1 passed/);
});

test('a contract is verified as the page shows', async () => {
  const verify = commands.filter((line) => line.includes(' verify '));
  expect(verify).toHaveLength(3);
  expect(await run(verify[0] ?? '')).toBe(passed);
});

test('releases without a broker work as the page shows', async () => {
  const pact = await project.read('pacts/payroll-batch-hr-cloud.json');
  expect(pact).toContain('token-without-scope');
  await project.write('contracts/payroll-batch/pact.json', pact);
  await project.write('test/verification.test.ts', verification);

  // The first deployment waits for nothing.
  expect(await run(recordsCommand('record-deployment', 'hr-cloud').replace('1.5.0', '1.4.0'))).toContain('is recorded');
  expect(await run(recordsCommand('can-i-deploy', 'payroll-batch'))).toContain(
    'payroll-batch 2.1.0 must not be deployed',
  );

  await using fake = await startFakeHrCloud();
  const verify = records.find((line) => line.includes(' verify ')) ?? '';
  const [, url = '', states = ''] = /--url (\S+) --states-url (\S+) /.exec(verify) ?? [];
  const tokens = { HR_TOKEN: 'contract-token', HR_TOKEN_WITHOUT_SCOPE: 'token-without-scope' };
  const running = verify.replace(states, await statesUrl(fake)).replace(url, fake.url);
  expect(await run(running, tokens)).toBe(passed);
  expect(await run(recordsCommand('can-i-deploy', 'payroll-batch'))).toBe(
    'payroll-batch 2.1.0 may be deployed to production.\n',
  );
  expect(await run(recordsCommand('record-deployment', 'payroll-batch'))).toBe(
    'payroll-batch 2.1.0 is recorded as deployed to production.\n',
  );

  expect(await run(recordsCommand('can-i-deploy', 'hr-cloud'))).toBe(refusal);
  vi.stubEnv('VERSION', '1.5.0');
  vi.stubEnv('CI', 'true');
  const inTest = await project.tests(['test/verification.test.ts']);
  vi.unstubAllEnvs();
  expect(inTest).toMatch(/Tests +1 passed/);
  expect(await run(recordsCommand('can-i-deploy', 'hr-cloud'))).toBe('hr-cloud 1.5.0 may be deployed to production.\n');
  expect(await run(recordsCommand('record-deployment', 'hr-cloud'))).toContain('is recorded');
});
