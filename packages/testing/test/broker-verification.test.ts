import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishPacts, recordDeployment, verifyProvider } from '../src/provider/index.ts';
import { BrokerDouble } from './broker-double.ts';
import { jsonFile, pactOf } from './pact-file.ts';
import type { Said } from './pact-file.ts';

let double: BrokerDouble;
let broker: { readonly url: string; readonly token: string };
let provider: Server;

beforeEach(async () => {
  double = await new BrokerDouble().start();
  broker = { url: double.url, token: double.token };
  // It knows one person, and nothing else of what the API says.
  provider = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"id":"4711"}]');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => provider.close(resolve));
  await double.stop();
});

const persons: Said = { description: 'persons', answer: [{ id: '4711' }] };
const names: Said = { description: 'names', answer: [{ firstName: 'Zoë' }] };

async function publish(consumer: string, branch: string, ...said: readonly Said[]) {
  const pacts = { files: [await jsonFile(pactOf(consumer, said))] };
  await publishPacts({ broker, pacts, version: `${branch}-1`, branch });
}

function verify(source: object = {}) {
  const { port } = provider.address() as AddressInfo;
  return verifyProvider({
    provider: { url: `http://127.0.0.1:${port}` },
    source: { broker: { ...broker, branch: 'main', ...source } },
    states: {},
    token: () => 'a-token',
  });
}

const publishing = { publish: { version: '1.4.0' } };

/** A contract that has held before is not pending any more. */
function held(consumer: string) {
  double.results.push({ success: true, providerApplicationVersion: '1.3.0', consumer });
}

test('asks for the contracts of main, of its own branch, and of what is deployed, new ones and unfinished ones too', async () => {
  await publish('payroll-batch', 'main', persons);
  await publish('time-terminal', 'release', persons);
  await recordDeployment({ broker, participant: 'time-terminal', version: 'release-1', environment: 'production' });
  await publish('planner', 'feature', persons);
  const { interactions } = await verify({ branch: 'planning' });

  expect(interactions.map(({ consumer }) => consumer).toSorted()).toEqual([
    'payroll-batch',
    'planner',
    'time-terminal',
  ]);
  const asked = double.requests.find(({ method, path }) => method === 'POST' && path === '/for-verification/hr-cloud');
  expect(asked?.body).toEqual({
    consumerVersionSelectors: [{ mainBranch: true }, { matchingBranch: true }, { deployedOrReleased: true }],
    includePendingStatus: true,
    includeWipPactsSince: '2026-01-01',
    providerVersionBranch: 'planning',
  });
  expect(new Set(double.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${broker.token}`]),
  );
  expect(double.results).toEqual([]);
  expect(double.branches).toEqual([]);
});

test('publishes what holds, for a version of a branch', async () => {
  await publish('payroll-batch', 'main', persons);
  await expect(verify(publishing)).resolves.toMatchObject({ ok: true });
  expect(double.branches).toEqual(['hr-cloud main 1.4.0']);
  expect(double.results).toMatchObject([
    {
      consumer: 'payroll-batch',
      providerApplicationVersion: '1.4.0',
      success: true,
      testResults: [{ interactionId: '0-0', success: true }],
    },
  ]);
});

test('what held before and does not any more fails, and the broker learns which', async () => {
  await publish('payroll-batch', 'main', persons, names);
  held('payroll-batch');
  await expect(verify(publishing)).rejects.toMatchObject({ code: 'verification-failed' });
  expect(double.results.at(-1)).toMatchObject({
    providerApplicationVersion: '1.4.0',
    success: false,
    testResults: expect.arrayContaining([
      expect.objectContaining({ interactionDescription: 'persons', success: true }),
      expect.objectContaining({ interactionDescription: 'names', success: false }),
    ]),
  });
});

test('what has never held is pending: it is told, and fails nothing', async () => {
  await publish('payroll-batch', 'main', persons);
  held('payroll-batch');
  await publish('planner', 'feature', names);
  const { ok, interactions } = await verify(publishing);
  expect(ok).toBe(true);
  const outcomes = interactions.map(({ consumer, pending, ok: holds }) => ({ consumer, pending, holds }));
  expect(outcomes).toHaveLength(2);
  expect(outcomes).toContainEqual({ consumer: 'payroll-batch', pending: false, holds: true });
  expect(outcomes).toContainEqual({ consumer: 'planner', pending: true, holds: false });
  expect(interactions.find(({ consumer }) => consumer === 'planner')?.faults).not.toEqual([]);
  expect(double.results).toContainEqual(expect.objectContaining({ consumer: 'planner', success: false }));
});

test('the broker learns of a state that could not be made', async () => {
  await publish('payroll-batch', 'main', { ...persons, states: [{ name: 'a person', params: { id: '4711' } }] });
  held('payroll-batch');
  await expect(verify(publishing)).rejects.toThrow('a person');
  expect(double.results.at(-1)).toMatchObject({ success: false });
});

test('nothing to verify is no success', async () => {
  await expect(verify(publishing)).rejects.toMatchObject({ code: 'verification-failed' });
  expect(double.results).toEqual([]);
});

test('a wrong token and a broker that cannot be reached are told, the token is not', async () => {
  const error: unknown = await verify({ token: 'a-wrong-token' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'verification-failed', message: expect.stringContaining('401 Unauthorized') });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a-wrong-token');
  await expect(verify({ url: 'http://127.0.0.1:1' })).rejects.toThrow('127.0.0.1:1');
});
