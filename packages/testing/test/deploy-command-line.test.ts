import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hrContracts } from '../src/provider/command-line/hr-contracts.ts';
import { recordVerification } from '../src/provider/index.ts';
import { BrokerDouble } from './broker-double.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

const bin = fileURLToPath(new URL('../bin/hr-contracts.js', import.meta.url));
const usage = /Usage:\n {2}hr-contracts drift/;

let folder: string;
let env: Record<string, string> = {};

beforeEach(async () => {
  folder = await newFolder();
  env = {};
  await mkdir(join(folder, 'pacts'));
  await jsonFile(pactOf('payroll-batch', [{ description: 'persons', answer: [] }]), join(folder, 'pacts'));
});

interface Outcome {
  readonly exit: unknown;
  readonly said: string;
  readonly complained: string;
}

/** Runs the program as a team's CI does, in the folder of its project. */
function program(...args: readonly string[]): Promise<Outcome> {
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=@hr/source', bin, ...args], options, (error, said, complained) => {
      resolve({ exit: error ? error.code : 0, said, complained });
    });
  });
}

/** Does what the program does, in the same folder, without a process of its own. */
async function command(...args: readonly string[]): Promise<Outcome> {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const complained = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const textOf = ({ mock }: typeof said) => mock.calls.map(([text]) => text).join('');
  const before = process.cwd();
  process.chdir(folder);
  try {
    return { exit: await hrContracts(args, env), said: textOf(said), complained: textOf(complained) };
  } finally {
    process.chdir(before);
    said.mockRestore();
    complained.mockRestore();
  }
}

const provider = ['--participant', 'hr-cloud', '--version', '1.4.0', '--environment', 'production'];
const consumer = ['pacts', '--participant', 'payroll-batch', '--version', '2.1.0', '--environment', 'production'];
const records = ['--records', 'contracts/deployed.json'];

test('without a broker, a committed file allows a release', async () => {
  await expect(program('record-deployment', ...consumer, ...records)).resolves.toEqual({
    exit: 0,
    said: 'payroll-batch 2.1.0 is recorded as deployed to production.\n',
    complained: '',
  });
  await expect(program('can-i-deploy', ...provider, ...records)).resolves.toMatchObject({
    exit: 1,
    said: '',
    complained: expect.stringContaining('was not verified with the pact of payroll-batch 2.1.0'),
  });
  await recordVerification({
    records: join(folder, 'contracts/deployed.json'),
    pacts: { folders: [join(folder, 'pacts')] },
    version: '1.4.0',
    result: {
      ok: true,
      provider: 'hr-cloud',
      interactions: [
        { consumer: 'payroll-batch', description: 'persons', states: [], pending: false, ok: true, faults: [] },
      ],
      faults: [],
    },
  });
  await expect(program('can-i-deploy', ...provider, ...records)).resolves.toMatchObject({ exit: 0 });
});

describe('with a broker', () => {
  let double: BrokerDouble;

  beforeEach(async () => {
    double = await new BrokerDouble().start();
    env = { PACT_BROKER_BASE_URL: double.url, PACT_BROKER_TOKEN: double.token };
  });
  afterEach(() => double.stop());

  test('it is asked', async () => {
    await expect(program('publish', 'pacts', '--version', '2.1.0', '--branch', 'main')).resolves.toMatchObject({
      exit: 0,
      said: 'The contracts of version 2.1.0 are published.\n',
    });
    await expect(command('record-deployment', ...consumer)).resolves.toMatchObject({ exit: 0 });
    await expect(command('can-i-deploy', ...provider)).resolves.toMatchObject({ exit: 1, said: '' });
    double.results.push({ success: true, providerApplicationVersion: '1.4.0', consumer: 'payroll-batch' });
    await expect(command('can-i-deploy', ...provider)).resolves.toMatchObject({ exit: 0 });
  });

  test('a wrong token is told, and not shown', async () => {
    env['PACT_BROKER_TOKEN'] = 'a-wrong-token';
    const { exit, said, complained } = await command('can-i-deploy', ...provider);
    expect(exit).toBe(1);
    expect(complained).toContain('set PACT_BROKER_TOKEN');
    expect(said + complained).not.toContain('a-wrong-token');
  });
});

test('drift fails, and no drift says what no matcher holds', async () => {
  await expect(command('drift', 'pacts')).resolves.toEqual({
    exit: 0,
    said: [
      'The contracts are what the API says.',
      '',
      'What the API says of used fields, and no matcher holds:',
      'payroll-batch: persons',
      '  answer: it may have elements.',
      '',
    ].join('\n'),
    complained: '',
  });
  await jsonFile(pactOf('payroll-batch', [{ answer: [{ shoeSize: 43 }] }]), join(folder, 'pacts'), 'other.json');
  await expect(command('drift', 'pacts')).resolves.toMatchObject({
    exit: 1,
    complained: expect.stringContaining('answer /0/shoeSize'),
  });
});

test.each([
  ['no command', []],
  ['an unknown command', ['deploy']],
  ['an unknown option', ['drift', 'pacts', '--strict']],
  ['no contracts to compare', ['drift']],
  ['no contracts to publish', ['publish', '--version', '1', '--branch', 'main', ...records]],
  ['no version', ['publish', 'pacts', '--branch', 'main']],
  ['nobody to ask', ['can-i-deploy', ...provider]],
  ['nobody to publish to', ['publish', 'pacts', '--version', '1', '--branch', 'main', ...records]],
])('%s is no yes', async (_what, args) => {
  await expect(command(...args)).resolves.toEqual({ exit: 2, said: '', complained: expect.stringMatching(usage) });
});

test('no contracts are no yes', async () => {
  await expect(command('drift', 'nowhere')).resolves.toMatchObject({
    exit: 1,
    complained: 'The folder nowhere cannot be read.\n',
  });
});

test.each([{ args: ['--help'] }, { args: ['drift', '-h'] }, { args: ['help'] }])(
  '$args prints how it is called',
  async ({ args }) => {
    await expect(command(...args)).resolves.toEqual({
      exit: 0,
      said: expect.stringMatching(usage),
      complained: '',
    });
  },
);
