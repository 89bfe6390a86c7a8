import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { brokerFromEnvironment, canIDeploy, publishPacts, recordDeployment } from '../src/provider/index.ts';
import { BrokerDouble, type Reply } from './broker-double.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

let double: BrokerDouble;
let broker: { readonly url: string; readonly token: string };

beforeEach(async () => {
  double = await new BrokerDouble().start();
  broker = { url: double.url, token: double.token };
});
afterEach(() => double.stop());

async function publish(version: string, given: typeof broker = broker) {
  const pacts = [await jsonFile(pactOf('payroll-batch', [{ response: [{ id: '1' }] }]))];
  await publishPacts({ broker: given, pacts, version, branch: 'main' });
}

const production = { environment: 'production' };
const payrollBatch = { participant: 'payroll-batch', version: '2.1.0', ...production };
const hrCloud = { participant: 'hr-cloud', version: '1.4.0', ...production };

function verified(success: boolean) {
  double.results.push({ success, providerApplicationVersion: '1.4.0', consumer: 'payroll-batch' });
}

test('publishes all pacts of a folder, a consumer at a time, with version and branch', async () => {
  const pacts = join(await newFolder(), '[app]');
  await mkdir(pacts);
  const content = pactOf('payroll-batch', [{ response: [{ id: '1' }] }]);
  await jsonFile(content, pacts, 'one.json');
  await jsonFile(pactOf('time', [{ response: [] }]), pacts, 'two.json');
  await publishPacts({ broker, pacts: [pacts], version: '2.1.0', branch: 'feature/bonus' });

  const of = { version: '2.1.0', branch: 'feature/bonus' };
  expect(double.published).toMatchObject([
    { consumer: 'payroll-batch', content, ...of },
    { consumer: 'time', ...of },
  ]);
  expect(new Set(double.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${broker.token}`]),
  );
});

test('a file that is no pact is not published', async () => {
  const pacts = [await jsonFile({ name: 'not a pact' })];
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
    '- hr-cloud 1.4.0 failed the pact of payroll-batch 2.1.0.',
  );
  verified(true);
  await canIDeploy({ broker, ...hrCloud });
  const { path } = double.requests.at(-1) ?? {};
  expect(path).toBe('/matrix?q[][pacticipant]=hr-cloud&q[][version]=1.4.0&latestby=cvpv&environment=production');
});

test('a consumer waits for the provider that is deployed', async () => {
  await publish('2.1.0');
  await recordDeployment({ broker, ...hrCloud });
  await expect(canIDeploy({ broker, ...payrollBatch })).rejects.toMatchObject({ code: 'not-deployable' });
  verified(true);
  await canIDeploy({ broker, ...payrollBatch });
});

test('no variable of Pact turns a no into a yes, or sends the token of another broker', async () => {
  vi.stubEnv('PACT_BROKER_CAN_I_DEPLOY_DRY_RUN', 'true');
  vi.stubEnv('PACT_BROKER_CAN_I_DEPLOY_IGNORE', 'payroll-batch');
  vi.stubEnv('PACT_BROKER_TOKEN', 'token-of-another-broker');
  onTestFinished(() => void vi.unstubAllEnvs());
  await publish('2.1.0');
  await recordDeployment({ broker, ...payrollBatch });
  await expect(canIDeploy({ broker, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
  double.requests.length = 0;
  await expect(canIDeploy({ broker: { url: double.url }, ...hrCloud })).rejects.toMatchObject({
    code: 'broker-failed',
  });
  expect(double.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test('names a version and an environment that the broker does not know', async () => {
  await expect(recordDeployment({ broker, ...payrollBatch })).rejects.toMatchObject({
    code: 'broker-failed',
    message: expect.stringMatching(/^GET .*\/versions\/2\.1\.0: the broker responds 404/) as string,
  });
  await publish('2.1.0');
  await expect(recordDeployment({ broker, ...payrollBatch, environment: 'moon' })).rejects.toThrow(
    'The broker has no environment moon. Use one of: test, production.',
  );
});

const commands = {
  publish: (given: typeof broker) => publish('1', given),
  'can-i-deploy': (given: typeof broker) => canIDeploy({ broker: given, ...payrollBatch }),
  'record-deployment': (given: typeof broker) => recordDeployment({ broker: given, ...payrollBatch }),
};

describe.each(Object.entries(commands))('%s', (_name, command) => {
  test('names a wrong token, and does not show it', async () => {
    const error: unknown = await command({ ...broker, token: 'a-wrong-token' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'broker-failed', message: expect.stringContaining('PACT_BROKER_TOKEN') });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a-wrong-token');
  });

  test('names a broker that cannot be reached', async () => {
    await expect(command({ ...broker, url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'broker-failed',
      message: expect.stringContaining('the broker cannot be reached. Check PACT_BROKER_BASE_URL.'),
    });
  });

  test.each<[what: string, reply: Reply]>([
    ['the page of a login', [200, '<html>']],
    ['an empty object', [200, {}]],
    ['nothing', [200, '']],
    ['an array', [200, []]],
    ['links to nothing', [200, { _links: { 'pb:publish-contracts': {}, 'pb:pacticipant-version': null } }]],
    ['a verdict in words', [200, { summary: { deployable: 'true', reason: 'yes' }, matrix: [] }]],
    ['no verdict', [200, { summary: { deployable: null, reason: '?' }, matrix: [] }]],
    ['a conflict', [409, { error: { message: 'exists already' } }]],
    ['a link that is no address', [200, { _links: { 'pb:publish-contracts': { href: 'x' } } }]],
    ['an error', [500, 'oops']],
  ])('is no success when the broker answers with %s', async (_what, reply) => {
    await publish('2.1.0');
    double.override = () => reply;
    await expect(command(broker)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:broker-failed|not-deployable)$/) as string,
    });
  });
});

test('the environment names the broker, or there is none', () => {
  expect(brokerFromEnvironment({})).toBeUndefined();
  expect(brokerFromEnvironment({ PACT_BROKER_BASE_URL: '' })).toBeUndefined();
  const env = { PACT_BROKER_BASE_URL: 'https://broker.example.com/', PACT_BROKER_TOKEN: 'x' };
  expect(brokerFromEnvironment(env)).toEqual({ url: 'https://broker.example.com', token: 'x' });
  expect(() => brokerFromEnvironment({ PACT_BROKER_BASE_URL: 'broker' })).toThrow('PACT_BROKER_BASE_URL');
});
