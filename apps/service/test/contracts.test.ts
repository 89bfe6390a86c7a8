import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations, type Operation } from '@hr/schemas';
import { exampleTokens } from '@hr/testing/pact';
import { startFakeHrCloud } from '@hr/testing/fake';
import { expectNoDrift, scenarioStates, verifyProvider } from '@hr/testing/provider';
import { scenarioOf, type ProviderState } from '@hr/testing/states';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainAll } from '../src/audit/audit-chain.ts';
import type { Database } from '../src/database/database.ts';
import { consumersWithoutPact, inboxFolder, pactFolders } from './contracts/pact-folders.ts';
import { startProviderUnderTest, type ProviderUnderTest } from './contracts/provider-under-test.ts';
import { verificationCommand } from './contracts/verification-command.ts';
import { inThisProcess } from './command-line.ts';
import { ownDatabase } from './own-database.ts';
import { storePatch } from './feed.ts';
import { shortLived } from './short-lived.ts';

const source = { pacts: pactFolders() };

const everything: readonly ProviderState[] = [
  ['a person', { id: '4711' }],
  ['a contract', { payrollContractId: '1-77', personId: '4711' }],
  ['a salary', { payrollContractId: '1-77', year: 2026, month: 1 }],
  ['an approved payment', { payrollContractId: '1-77', billingPeriod: '2026-01' }],
  [
    'a payment submitted with a key',
    {
      idempotencyKey: 'run-1',
      payrollContractId: '1-77',
      billingPeriod: '2026-01',
      payment: { compensationComponentId: 'BONUS', amount: 1 },
    },
  ],
  ['a decided payment', { payrollContractId: '1-77', billingPeriod: '2026-01', state: 'rejected' }],
  ['a day of time bookings', { personId: '4711', date: '2026-01-02' }],
  ['an absence', { personId: '4711' }],
  ['an API client', { clientId: 'other', clientSecret: 'secret' }],
  ['a person who changed', { id: '4711', systems: ['time'], since: '2026-01-01' }],
  ['an erased person', { id: '4712' }],
  ['a deleted person', { id: '4713' }],
  ['a deleted day of time bookings', { personId: '4711', date: '2026-01-03' }],
  ['a deleted absence', { personId: '4711', id: '9' }],
  ['a used-up rate limit'],
];

const isSpecified = ({ extension }: Operation): boolean => extension !== true;

test('every consumer that tests contracts has a pact', () => {
  expect(source.pacts).not.toEqual([]);
  expect(consumersWithoutPact()).toEqual([]);
});

// Not in their own tests, which write no contract while one of them fails. Programs call the extensions that they need.
test.each([
  ['client', (): boolean => true],
  ['cli', isSpecified],
  ['console', isSpecified],
])('the contract of hr-%s has every operation', async (name, isNeeded) => {
  const pacts = source.pacts.map((folder) => join(folder, `hr-${name}-hr-cloud.json`));
  const { interactions } = JSON.parse(await readFile(pacts.find((file) => existsSync(file)) ?? '', 'utf8')) as {
    interactions: { description: string }[];
  };
  const used = new Set(interactions.map(({ description }) => description.split(':')[0]));
  const missing = Object.entries<Operation>(operations).filter(([id, each]) => isNeeded(each) && !used.has(id));
  expect(missing, 'Add a test of each to test/contracts of the consumer.').toEqual([]);
});

test('the fake passes the contracts that the service passes', async () => {
  await using fake = await startFakeHrCloud();
  const result = await verifyProvider({
    provider: { url: fake.url },
    source,
    states: scenarioStates((scenario) => fake.load(scenario)),
    reset: () => fake.reset(),
    approvePayments: () => fake.payments.approveAll(),
    token: () => exampleTokens.valid,
    tokenWithoutScope: () => exampleTokens.withoutScope,
  });
  expect(result.ok).toBe(true);
});

test('the contracts of our consumers agree with the operation table and the OpenAPI document', async () => {
  const { faults, unsupportedRules } = await expectNoDrift(source);
  expect(faults).toEqual([]);
  // Both consumers of this workspace read fields that have bounds.
  const consumers = unsupportedRules.map(({ consumer }) => consumer);
  expect(consumers).toEqual(expect.arrayContaining(['hr-auth', 'hr-client']));
});

describe('verify-contracts', () => {
  let folder: string;
  let database: Database;
  let provider: ProviderUnderTest;
  let remove: () => Promise<void>;
  const pact = join(source.pacts.find((each) => each.includes('auth')) ?? '', 'hr-auth-hr-cloud.json');
  beforeAll(async () => {
    const empty = await ownDatabase('postgres');
    ({ database, remove } = empty);
    provider = await startProviderUnderTest(empty.url);
    folder = await mkdtemp(join(tmpdir(), 'hr-verify-'));
  });
  afterAll(async () => {
    await provider.stop();
    await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const startProvider = async (): Promise<ProviderUnderTest> => ({ ...provider, stop: async () => {} });

  async function run(args: readonly string[], env: Record<string, string> = {}, folders?: readonly string[]) {
    const { code, stdout, stderr } = await inThisProcess(
      (terminal) => verificationCommand(args, terminal, startProvider, folders),
      { INIT_CWD: folder, ...env },
    );
    return { code, printed: stdout + stderr };
  }

  /** What a run prints that passes. Otherwise its report, which says whom to talk to, is the error. */
  async function passing(folders?: readonly string[]): Promise<string> {
    const { code, printed } = await run([], {}, folders);
    if (code !== 0) throw new Error(printed);
    return printed;
  }

  test('passes the contracts of all consumers', async () => {
    const printed = await passing();
    expect(printed).toMatch(/^Verification of hr-cloud passed: (\d+) of \1 interactions passed\.\n/);
    expect(printed).toMatch(/^ {2}hr-auth: .*^ {2}hr-client: /ms);
  });

  test('verifies what another team hands in, until it is withdrawn, and records nothing that the service breaks', async () => {
    const inbox = join(folder, 'inbox');
    await mkdir(inbox);
    await cp(join(inboxFolder, 'README.md'), join(inbox, 'README.md'));
    expect(pactFolders(inbox)).toEqual(source.pacts.filter((each) => each !== inboxFolder));
    await mkdir(join(inbox, 'planner'));
    const file = join(inbox, 'planner/pact.json');
    const handIn = async (more: number): Promise<void> => {
      const { metadata, interactions } = JSON.parse(await readFile(pact, 'utf8')) as {
        metadata: { 'hr-testing': object };
        interactions: { response: { status: number } }[];
      };
      const contract = {
        consumer: { name: 'planner' },
        interactions: interactions.map(({ response, ...others }) => ({
          ...others,
          response: { ...response, status: response.status + more },
        })),
        metadata: { ...metadata, 'hr-testing': { ...metadata['hr-testing'], contact: 'Planners, #planning' } },
        provider: { name: 'hr-cloud' },
      };
      await writeFile(file, JSON.stringify(contract));
    };

    await handIn(0);
    expect(await passing(pactFolders(inbox))).toContain('\n  planner: 4 of 4\n');

    await handIn(1);
    const { code, printed } = await run(['inbox', '--version', '1.4.0', '--records', 'records.json']);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^Verification of hr-cloud failed: 0 of 4 interactions passed\.\n {2}planner: 0 of 4\n\nplanner: requestToken: /,
    );
    expect(printed).toContain(
      `  in ${file}\n  contact: Planners, #planning\n  POST /api/oauth2/token\n  status: expected `,
    );
    await expect(readFile(join(folder, 'records.json'))).rejects.toThrow('ENOENT');

    await handIn(0);
    expect(await run(['inbox'])).toMatchObject({ code: 0 });
    await writeFile(join(inbox, 'planner/pact.txt'), '');
    expect(await run(['inbox'])).toEqual({
      code: 1,
      printed: expect.stringContaining('planner/pact.txt is not a pact.') as string,
    });

    await rm(join(inbox, 'planner'), { recursive: true });
    expect(await passing(pactFolders(inbox))).not.toContain('planner');
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
    [['broken.json', '--version', '1'], nowhere, 2, '--version needs --records or the broker.'],
    [['--version', '1'], {}, 2, '--version needs --records or the broker.'],
    [['--help'], {}, 0, 'USAGE\n'],
  ])('%j with %j ends with %i', async (args, env, code, message) => {
    expect(await run(args, env)).toEqual({ code, printed: expect.stringContaining(message) as string });
  });

  // That it is as a scenario says, and then as the next one does, is in behaviour.test.ts.
  test('the provider under test holds nothing after a reset but its own clients, their tokens and the audit', async () => {
    await provider.load(scenarioOf(everything));
    await storePatch(database, '4711', { addresses: [] });
    await database.query(`update absence set person_id = '4714' where absence is not null`);
    await database.query(`insert into client_maker values ('other', 'other');
      insert into client_key values ('other', 'thumbprint', 'kid', 'EdDSA', '{}');
      insert into client_assertion values ('other', '', now());
      insert into change_history values ('2001-01-01');
      insert into webhook_endpoint (id, client_id, url, secret, snapshot, latest, digest)
        select 'e-1', min(client_id), 'https://localhost/', 'whsec_', pg_current_snapshot(), 0, '' from api_client;
      insert into webhook_delivery (endpoint_id, message_id, type, sent_at, attempt, duration_ms)
        values ('e-1', 'msg_1', 'test', now(), 1, 1);
      update mapping set person_id = '4714'`);
    await chainAll(database);
    const rows = async (isKept: (count: number) => boolean): Promise<Record<string, number>> => {
      const counted = await database.query<{ name: string; count: number }>(
        `select relname as name, (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || relname, false, true, '')))[1]::text::int as count
        from pg_class where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
      );
      return Object.fromEntries(counted.filter(({ count }) => isKept(count)).map(({ name, count }) => [name, count]));
    };
    expect(await rows((count) => count === 0)).toEqual({});
    await provider.reset();
    expect(await rows((count) => count > 0)).toEqual({
      access_token: 2,
      api_client: 2,
      audit_block: expect.any(Number) as number,
      client_custom_field: expect.any(Number) as number,
      change_origin: 1,
      client_secret: 2,
      credential_key: 1,
      migration: expect.any(Number) as number,
    });
  });
});
