import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from '@hr/schemas';
import { exampleTokens } from '@hr/testing/pact';
import { startFakeHrCloud } from '@hr/testing/fake';
import { scenarioStates, verifyProvider } from '@hr/testing/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumersWithoutPact, inboxFolder, pactFolders } from './contracts/pact-folders.ts';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import type { ProviderUnderTest } from './contracts/provider-under-test.ts';
import { verificationCommand } from './contracts/verification-command.ts';
import { inThisProcess } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';
import { shortLived } from './short-lived.ts';

const source = { pacts: pactFolders() };

test('every consumer that tests contracts has a pact', () => {
  expect(source.pacts).not.toEqual([]);
  expect(consumersWithoutPact()).toEqual([]);
});

// Not in their own tests, which write no contract while one of them fails.
test.each(['client', 'cli', 'console'])('the contract of hr-%s has every operation', async (name) => {
  const pacts = source.pacts.map((folder) => join(folder, `hr-${name}-hr-cloud.json`));
  const { interactions } = JSON.parse(await readFile(pacts.find((file) => existsSync(file)) ?? '', 'utf8')) as {
    interactions: { description: string }[];
  };
  const used = new Set(interactions.map(({ description }) => description.split(':')[0]));
  const missing = Object.keys(operations).filter((id) => !used.has(id));
  expect(missing, 'Add a test of each to test/contracts of the consumer.').toEqual([]);
});

test('the fake passes the contracts that the service passes', async () => {
  await using fake = await startFakeHrCloud();
  const result = await verifyProvider({
    provider: { url: fake.url },
    source,
    states: scenarioStates((scenario) => fake.load(scenario)),
    reset: () => fake.reset(),
    token: () => exampleTokens.valid,
    tokenWithoutScope: () => exampleTokens.withoutScope,
  });
  expect(result.ok).toBe(true);
});

describe('verify-contracts', () => {
  let folder: string;
  let pact: string;
  let broken: string;
  let provider: ProviderUnderTest;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const empty = await emptyDatabase('postgres');
    remove = empty.remove;
    provider = await startProviderUnderTest(empty.url);
    folder = await mkdtemp(join(tmpdir(), 'hr-verify-'));
    pact = join(source.pacts.find((each) => each.includes('auth')) ?? '', 'hr-auth-hr-cloud.json');
    broken = join(folder, 'broken.json');
    const content = JSON.parse(await readFile(pact, 'utf8')) as {
      consumer: { name: string };
      interactions: { response: { status: number } }[];
    };
    content.consumer.name = 'planner';
    for (const { response } of content.interactions) response.status++;
    await writeFile(broken, JSON.stringify(content));
  });
  afterAll(async () => {
    await provider.stop();
    await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const startProvider = async (): Promise<ProviderUnderTest> => ({ ...provider, stop: async () => {} });

  async function run(
    args: readonly string[],
    { env = {}, pacts }: { readonly env?: Record<string, string>; readonly pacts?: readonly string[] } = {},
  ): Promise<{ readonly code: number | null; readonly printed: string }> {
    const verification = { startProvider, ...(pacts && { pacts }) };
    const { code, stdout, stderr } = await inThisProcess(
      (terminal) => verificationCommand(args, terminal, verification),
      { INIT_CWD: folder, ...env },
    );
    return { code, printed: stdout + stderr };
  }

  test('passes the contracts of all consumers', async () => {
    const { code, printed } = await run([]);
    expect(code).toBe(0);
    expect(printed).toMatch(/^Verification of hr-cloud passed: (\d+) of \1 interactions passed\.\n/);
    expect(printed).toMatch(/^ {2}hr-auth: .*^ {2}hr-client: /ms);
  });

  test('verifies what another team has handed in, and fails when the service breaks it', async () => {
    const inbox = join(folder, 'inbox');
    await cp(inboxFolder, inbox, { recursive: true });
    expect(pactFolders(inbox)).not.toContain(inbox);
    await mkdir(join(inbox, 'planner'));
    await cp(broken, join(inbox, 'planner/pact.json'));
    expect(pactFolders(inbox)).toEqual([...source.pacts, inbox]);
    const pacts = [dirname(pact), inbox];
    const { code, printed } = await run([], { pacts });
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^Verification of hr-cloud failed: (\d+) of (\d+) interactions passed\.\n.* {2}planner: 0 of 4\n/s,
    );
    expect(printed).toContain(`  in ${join(inbox, 'planner/pact.json')}\n  status: expected `);
    await writeFile(join(inbox, 'planner/pact.txt'), '');
    expect(await run([], { pacts })).toEqual({
      code: 1,
      printed: expect.stringContaining('planner/pact.txt is not a pact.') as string,
    });
  });

  test('prints the report of a failure and records nothing', async () => {
    const { code, printed } = await run(['broken.json', '--version', '1.4.0', '--records', 'records.json']);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^Verification of hr-cloud failed: 0 of 4 interactions passed\.\n {2}planner: 0 of 4\n\nplanner: /,
    );
    await expect(readFile(join(folder, 'records.json'))).rejects.toThrow('ENOENT');
  });

  test('records what passed for a version, as a program, which ends then', async () => {
    const program = fileURLToPath(new URL('contracts/verify-contracts.ts', import.meta.url));
    const args = [program, pact, '--version', '1.4.0', '--records', 'records.json'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...shortLived, '--conditions=@hr/source', ...args],
      { cwd: folder, env: { ...process.env, INIT_CWD: folder } },
    );
    expect(stdout).toMatch(/^Verification of hr-cloud passed: (\d+) of \1 interactions passed\.\n/);
    const records = JSON.parse(await readFile(join(folder, 'records.json'), 'utf8')) as { readonly verified: object };
    expect(records.verified).toEqual({
      '1.4.0': { [Object.keys(Object.values(records.verified)[0] as object)[0] ?? '']: 'passed' },
    });
  });

  const nowhere = { PACT_BROKER_BASE_URL: 'http://127.0.0.1:1' };
  test.each<[args: readonly string[], env: Record<string, string>, code: number, message: string]>([
    [[], nowhere, 1, 'the broker cannot be reached'],
    [[], { PACT_BROKER_BASE_URL: 'broker' }, 1, 'PACT_BROKER_BASE_URL'],
    [['nowhere'], {}, 1, `nowhere does not exist. Correct the path.`],
    [['--shoe'], {}, 2, "Unknown option '--shoe'.\nSee verify-contracts --help."],
    [['--records', 'x.json'], {}, 2, '--records needs --version.'],
    [['--branch', 'main'], {}, 2, '--branch needs the broker.'],
    [['broken.json', '--version', '1'], {}, 2, '--version needs --records or the broker.'],
    [['broken.json', '--version', '1'], nowhere, 2, '--version needs --records or the broker.'],
    [['--version', '1'], {}, 2, '--version needs --records or the broker.'],
    [['--help'], {}, 0, 'USAGE\n'],
  ])('%j with %j ends with %i', async (args, env, code, message) => {
    expect(await run(args, { env })).toEqual({ code, printed: expect.stringContaining(message) as string });
  });
});
