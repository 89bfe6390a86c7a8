import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokerFromEnvironment } from '../src/provider/index.ts';
import { BrokerDouble } from './broker-double.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

const page = await readFile(new URL('../docs/contracts-in-ci.md', import.meta.url), 'utf8');
const shown = Array.from(page.matchAll(/^npx pact-broker (.+)$/gm), ([, args = '']) => args.split(' '));
const [publish = [], consumerDeploys = [], recordConsumer = [], providerDeploys = [], ...rest] = shown;
const [recordProvider = [], recordRelease = [], recordUndeployment = []] = rest;

const content = pactOf('payroll-batch', [{ response: [{ id: '1' }] }]);
let double: BrokerDouble;
let folder: string;
let credentials: Readonly<Record<string, string>>;

beforeEach(async () => {
  double = await new BrokerDouble().start();
  credentials = { PACT_BROKER_TOKEN: double.token };
  folder = await newFolder();
  await mkdir(join(folder, 'pacts'));
  await jsonFile(content, join(folder, 'pacts'));
});
afterEach(() => double.stop());

/** Runs Pact's command line in the folder of a consumer. */
function pactBroker(args: readonly string[]): Promise<{ readonly exit: unknown; readonly output: string }> {
  const program = fileURLToPath(import.meta.resolve('@pact-foundation/pact-cli/bin/pact-broker.js'));
  const env = { ...process.env, NO_PROXY: '127.0.0.1', PACT_BROKER_BASE_URL: double.url, ...credentials };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ exit: error ? error.code : 0, output: stdout + stderr });
    });
  });
}

function verified(success: boolean) {
  double.results.push({ success, providerApplicationVersion: '1.5.0', consumer: 'payroll-batch' });
}

test("Pact's command line releases a consumer and a provider as the page shows", async () => {
  expect(shown).toHaveLength(7);
  await expect(pactBroker(publish)).resolves.toMatchObject({
    exit: 0,
    output: expect.stringContaining('A notice of the broker') as string,
  });
  const build = { version: '2.1.0', branch: 'main', buildUrl: 'https://ci.example.com/builds/17' };
  expect(double.published).toMatchObject([{ consumer: 'payroll-batch', content: { interactions: [{}] }, ...build }]);

  await expect(pactBroker(recordProvider)).resolves.toMatchObject({ exit: 0 });
  verified(true);
  await expect(pactBroker(consumerDeploys)).resolves.toMatchObject({ exit: 0 });
  await expect(pactBroker(recordConsumer)).resolves.toMatchObject({ exit: 0 });
  expect(double.deployed.get('production payroll-batch')).toBe('2.1.0');

  await expect(pactBroker(providerDeploys)).resolves.toMatchObject({ exit: 0 });
  verified(false);
  // No variable of Pact turns a no into a yes.
  credentials = { ...credentials, PACT_BROKER_CAN_I_DEPLOY_DRY_RUN: 'true' };
  await expect(pactBroker(providerDeploys)).resolves.toMatchObject({
    exit: 1,
    output: expect.stringContaining('There is no verified pact') as string,
  });
  await expect(pactBroker(recordRelease)).resolves.toMatchObject({ exit: 0 });
  expect(double.released).toEqual(['production payroll-batch 2.1.0']);
  await expect(pactBroker(recordUndeployment)).resolves.toMatchObject({ exit: 0 });
  expect([...double.deployed.keys()]).toEqual(['production hr-cloud']);
});

test("Pact's command line asks again while a verification is missing", async () => {
  double.publish(content, 'main');
  double.deployed.set('production hr-cloud', '1.5.0');
  let asked = 0;
  double.override = (path) => {
    if (path === '/matrix' && ++asked === 2) verified(true);
    return undefined;
  };
  const args = consumerDeploys.join(' ').replace('2.1.0', 'main-1').replace('-interval 10', '-interval 0').split(' ');
  await expect(pactBroker(args)).resolves.toMatchObject({ exit: 0 });
  expect(asked).toBe(2);
});

test("Pact's command line logs in with a user name and a password, and fails without", async () => {
  credentials = { PACT_BROKER_USERNAME: double.username, PACT_BROKER_PASSWORD: double.password };
  await expect(pactBroker(recordProvider)).resolves.toMatchObject({ exit: 0 });
  credentials = {};
  for (const args of [publish, consumerDeploys.slice(0, -4), recordConsumer])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(pactBroker(args)).resolves.toMatchObject({ exit: 1 });
  expect(double.published).toEqual([]);
});

test('the environment names the broker, or there is none', () => {
  const url = 'https://broker.example.com/';
  const broker = (env: object = {}) => brokerFromEnvironment({ PACT_BROKER_BASE_URL: url, ...env });
  expect(brokerFromEnvironment({})).toBeUndefined();
  expect(broker({ PACT_BROKER_BASE_URL: '' })).toBeUndefined();
  expect(broker({ PACT_BROKER_TOKEN: 'x', PACT_BROKER_USERNAME: '' })).toEqual({ url, token: 'x' });
  const user = { username: 'payroll', password: 'secret' };
  expect(broker({ PACT_BROKER_USERNAME: 'payroll', PACT_BROKER_PASSWORD: 'secret' })).toEqual({ url, ...user });
});

test.each([
  [{ PACT_BROKER_BASE_URL: 'broker' }, 'The URL of the broker is not an http(s) URL. Correct it.'],
  [
    { PACT_BROKER_BASE_URL: 'https://payroll:hidden@broker.example.com' },
    'The URL of the broker contains credentials. Set PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD instead.',
  ],
  [
    { PACT_BROKER_BASE_URL: 'https://broker.example.com', PACT_BROKER_TOKEN: 'hidden\n' },
    'The token of the broker has an invalid character. Correct it.',
  ],
])('%j names no broker', (env, fault) => {
  expect(() => brokerFromEnvironment(env)).toThrow(`PACT_BROKER_BASE_URL: ${fault}`);
});
