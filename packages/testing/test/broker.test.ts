import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { brokerFromEnvironment, canIDeploy, publishPacts, recordDeployment } from '../src/provider/index.ts';
import { BrokerDouble } from './broker-double.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

let double: BrokerDouble;
let broker: { readonly url: string; readonly token: string };

beforeEach(async () => {
  double = await new BrokerDouble().start();
  broker = { url: double.url, token: double.token };
});
afterEach(() => double.stop());

async function publish(version: string, branch = 'main') {
  const pacts = { files: [await jsonFile(pactOf('payroll-batch', [{ answer: [{ id: '1' }] }]))] };
  await publishPacts({ broker, pacts, version, branch });
}

const production = { environment: 'production' };
const payrollBatch = { participant: 'payroll-batch', version: '2.1.0', ...production };
const hrCloud = { participant: 'hr-cloud', version: '1.4.0', ...production };

function verified(success: boolean) {
  double.results.push({ success, providerApplicationVersion: '1.4.0', consumer: 'payroll-batch' });
}

test('publishes all pacts of a folder, whatever its name, with version and branch', async () => {
  const folder = await newFolder();
  const pacts = join(folder, '[app]');
  await mkdir(pacts);
  await jsonFile(pactOf('payroll-batch', [{ answer: [{ id: '1' }] }]), pacts);
  await publishPacts({ broker, pacts: { folders: [pacts] }, version: '2.1.0', branch: 'feature/bonus' });

  expect(double.published).toMatchObject([{ consumer: 'payroll-batch', version: '2.1.0', branch: 'feature/bonus' }]);
  expect(double.published[0]?.content.interactions).toHaveLength(1);
  expect(double.requests.map(({ authorization }) => authorization)).toEqual([
    `Bearer ${broker.token}`,
    `Bearer ${broker.token}`,
  ]);
});

test('what is no pact is not published', async () => {
  const pacts = { files: [await jsonFile({ name: 'not a pact' })] };
  await expect(publishPacts({ broker, pacts, version: '1', branch: 'main' })).rejects.toMatchObject({
    code: 'invalid-pact',
  });
  expect(double.requests).toEqual([]);
});

test('a version may be deployed once it is verified with what is deployed', async () => {
  await publish('2.1.0');
  await recordDeployment({ broker, ...payrollBatch });
  expect([...double.deployed]).toEqual([['production payroll-batch', '2.1.0']]);

  await expect(canIDeploy({ broker, ...hrCloud })).rejects.toMatchObject({
    code: 'not-deployable',
    message: [
      'hr-cloud 1.4.0 must not be deployed to production: There is no verified pact',
      '- hr-cloud 1.4.0 was not verified with the pact of payroll-batch 2.1.0.',
    ].join('\n'),
  });
  verified(false);
  await expect(canIDeploy({ broker, ...hrCloud })).rejects.toThrow(
    '- hr-cloud 1.4.0 does not hold the pact of payroll-batch 2.1.0.',
  );
  verified(true);
  await canIDeploy({ broker, ...hrCloud });
  // A question about nobody is answered yes, so what was asked is part of the answer.
  const { path } = double.requests.at(-1) ?? {};
  expect(path).toMatch(/^\/matrix\?q\[\]\[pacticipant\]=hr-cloud&q\[\]\[version\]=1\.4\.0&.*environment=production$/);
});

test('a consumer waits for the provider that is deployed', async () => {
  await publish('2.1.0');
  await recordDeployment({ broker, ...hrCloud });
  await expect(canIDeploy({ broker, ...payrollBatch })).rejects.toMatchObject({ code: 'not-deployable' });
  verified(true);
  await canIDeploy({ broker, ...payrollBatch });
});

test('no setting of the environment turns a no into a yes', async () => {
  vi.stubEnv('PACT_BROKER_CAN_I_DEPLOY_DRY_RUN', 'true');
  vi.stubEnv('PACT_BROKER_CAN_I_DEPLOY_IGNORE', 'payroll-batch');
  onTestFinished(() => void vi.unstubAllEnvs());
  await publish('2.1.0');
  await recordDeployment({ broker, ...payrollBatch });
  await expect(canIDeploy({ broker, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
});

test('a broker is not told the token of another', async () => {
  vi.stubEnv('PACT_BROKER_TOKEN', 'token-of-another-broker');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(canIDeploy({ broker: { url: double.url }, ...hrCloud })).rejects.toMatchObject({
    code: 'broker-failed',
  });
  expect(double.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test('tells a version and an environment that the broker does not know', async () => {
  await expect(recordDeployment({ broker, ...payrollBatch })).rejects.toMatchObject({ code: 'broker-failed' });
  await publish('2.1.0');
  await expect(recordDeployment({ broker, ...payrollBatch, environment: 'moon' })).rejects.toThrow(
    'Environment moon does not exist',
  );
});

const commands = {
  publish: (wrong: typeof broker) => publishWith(wrong),
  'can-i-deploy': (wrong: typeof broker) => canIDeploy({ broker: wrong, ...payrollBatch }),
  'record-deployment': (wrong: typeof broker) => recordDeployment({ broker: wrong, ...payrollBatch }),
};

async function publishWith(wrong: typeof broker) {
  const pacts = { files: [await jsonFile(pactOf('payroll-batch', [{ answer: [] }]))] };
  await publishPacts({ broker: wrong, pacts, version: '1', branch: 'main' });
}

test.each(Object.entries(commands))('%s tells a wrong token, and does not show it', async (_name, command) => {
  const error: unknown = await command({ ...broker, token: 'a-wrong-token' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'broker-failed', message: expect.stringContaining('PACT_BROKER_TOKEN') });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a-wrong-token');
});

test.each(Object.entries(commands))('%s tells a broker that cannot be reached', async (_name, command) => {
  await expect(command({ ...broker, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'broker-failed',
    message: expect.stringContaining('cannot be reached: look at PACT_BROKER_BASE_URL'),
  });
});

test.runIf(process.platform === 'linux')('no list of processes shows the token', async () => {
  await publish('2.1.0');
  const seen: string[] = [];
  double.onRequest = () => void seen.push(...commandLines());
  await expect(canIDeploy({ broker, ...hrCloud })).resolves.toBeUndefined();
  expect(seen.filter((line) => line.includes('can-i-deploy'))).not.toEqual([]);
  expect(seen.filter((line) => line.includes(broker.token))).toEqual([]);
});

/** The command lines of all processes. */
function commandLines(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      // It has ended.
      return [];
    }
  });
}

test('the environment names the broker, or there is none', () => {
  expect(brokerFromEnvironment({})).toBeUndefined();
  expect(brokerFromEnvironment({ PACT_BROKER_BASE_URL: '' })).toBeUndefined();
  expect(
    brokerFromEnvironment({ PACT_BROKER_BASE_URL: 'https://broker.example.com/', PACT_BROKER_TOKEN: 'x' }),
  ).toEqual({
    url: 'https://broker.example.com',
    token: 'x',
  });
  expect(() => brokerFromEnvironment({ PACT_BROKER_BASE_URL: 'broker' })).toThrow('PACT_BROKER_BASE_URL');
});
