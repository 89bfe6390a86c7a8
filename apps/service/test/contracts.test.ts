import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exampleTokens } from '@hr/testing/pact';
import { startFakeHrCloud } from '@hr/testing/fake';
import { scenarioStates, verifyProvider, verifyWithPactCli } from '@hr/testing/provider';
import type { VerificationResult } from '@hr/testing/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumersWithoutPact, pactFiles } from './contracts/pact-files.ts';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import type { ProviderUnderTest } from './contracts/provider-under-test.ts';
import { verificationCommand } from './contracts/verification-command.ts';
import { verificationOf } from './contracts/verification-of.ts';
import { compiled, inThisProcess } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';
import { shortLived } from './short-lived.ts';

const REPORT = 'reports';
const source = { files: pactFiles() };

/** What was found of each interaction. */
function verdicts({ interactions }: VerificationResult): string[] {
  return interactions.map(
    ({ consumer, description, ok }) => `${consumer}: ${description}: ${ok ? 'holds' : 'does not'}`,
  );
}

test('every consumer that tests contracts has a pact', () => {
  expect(source.files).not.toEqual([]);
  expect(consumersWithoutPact()).toEqual([]);
});

describe('the service', () => {
  let provider: ProviderUnderTest;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const empty = await emptyDatabase('pglite');
    ({ remove } = empty);
    provider = await startProviderUnderTest(empty.url);
  });
  afterAll(async () => {
    await provider.stop();
    await remove();
  });

  let held: VerificationResult;
  test('holds the contracts of its consumers', async () => {
    held = await verifyProvider({ ...verificationOf(provider), source, report: { dir: REPORT } });
    expect(held.ok).toBe(true);
    const reports = await Promise.all(['txt', 'xml', 'json'].map((form) => readFile(`${REPORT}/contracts.${form}`)));
    expect(reports.filter((report) => report.length === 0)).toEqual([]);
  });

  test('holds them for another verifier, too', async () => {
    const second = await verifyWithPactCli({ ...verificationOf(provider), source });
    expect(verdicts(second)).toEqual(verdicts(held));
  });
});

test('the fake holds the contracts that the service holds', async () => {
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

describe('the command that verifies', () => {
  let folder: string;
  let broken: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-verify-'));
    broken = join(folder, 'broken.json');
    const [file = ''] = source.files;
    const pact = JSON.parse(await readFile(file, 'utf8')) as { interactions: { response: { status: number } }[] };
    for (const { response } of pact.interactions) response.status++;
    await writeFile(broken, JSON.stringify(pact));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function run(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; told: string }> {
    const { url, remove } = await emptyDatabase('pglite');
    // Its report is written there, and not over that of this run.
    const verification = { startProvider: () => startProviderUnderTest(url), reports: folder };
    const { code, stdout, stderr } = await inThisProcess(
      (terminal) => verificationCommand(args, terminal, verification),
      {
        INIT_CWD: folder,
        ...env,
      },
    );
    await remove();
    return { code, told: stdout + stderr };
  }

  test('tells what holds', async () => {
    const program = fileURLToPath(new URL('contracts/verify-contracts.ts', import.meta.url));
    const [file = ''] = source.files;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...shortLived, '--conditions=@hr/source', program, file],
      { cwd: folder, env: { ...process.env, ...compiled } },
    );
    expect(stdout).toMatch(/^hr-cloud holds its contracts: (\d+) of \1 /);
  });

  test('tells what does not hold, and writes it down where it is asked to', async () => {
    expect(await run(['broken.json', '--version', '1.4.0', '--records', 'records.json'])).toEqual({
      code: 1,
      told: expect.stringMatching(/ 0 of \d+ .* status: The contract expects /s) as string,
    });
    const records = await readFile(join(folder, 'records.json'), 'utf8');
    expect(JSON.parse(records)).toMatchObject({ verified: { '1.4.0': expect.anything() as unknown } });
    expect(records).toContain('"failed"');
  });

  test.each([
    ['where there is no broker', [], { PACT_BROKER_BASE_URL: 'http://127.0.0.1:1' }, 1, 'pacts: '],
    ['that are no address of a broker', [], { PACT_BROKER_BASE_URL: 'broker' }, 1, 'PACT_BROKER_BASE_URL'],
    ['that it does not know', ['--shoe'], {}, 2, 'Usage: '],
    ['that do not go together', ['--records', 'x.json'], {}, 2, '--records needs --version'],
  ])('fails %s', async (_, args, env, code, told) => {
    expect(await run(args, env)).toEqual({ code, told: expect.stringContaining(told) as string });
  });
});
