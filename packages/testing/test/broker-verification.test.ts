import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishPacts, recordDeployment, verifyProvider } from '../src/provider/index.ts';
import { BrokerDouble, type Reply } from './broker-double.ts';
import { jsonFile, pactOf, type TestInteraction } from './pact-file.ts';

let double: BrokerDouble;
let broker: { readonly url: string; readonly token: string };
let provider: Server;
let response: string;

beforeEach(async () => {
  double = await new BrokerDouble().start();
  broker = { url: double.url, token: double.token };
  response = '[{"id":"4711"}]';
  provider = createServer((_request, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(response);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => provider.close(resolve));
  await double.stop();
});

const persons: TestInteraction = { description: 'persons', response: [{ id: '4711' }] };
const names: TestInteraction = { description: 'names', response: [{ firstName: 'Zoë' }] };

async function publish(consumer: string, branch: string, ...interactions: readonly TestInteraction[]) {
  const pacts = [await jsonFile(pactOf(consumer, interactions))];
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

/** A contract that passed before is not pending any more. */
function passed(consumer: string) {
  double.results.push({ success: true, providerApplicationVersion: '1.3.0', consumer });
}

test('gets the pacts of main, of its own branch, and of what is deployed, and work in progress', async () => {
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

test('publishes what passed, for a version of a branch', async () => {
  await publish('payroll-batch', 'main', persons);
  const { pacts } = await verify(publishing);
  expect(pacts).toEqual([
    {
      pact: `${double.url}/pacts/0`,
      consumer: 'payroll-batch',
      hash: expect.stringMatching(/^[\da-f]{64}$/) as string,
      ok: true,
    },
  ]);
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

test('a pact that passed before and fails now fails the verification, and the broker learns why', async () => {
  await publish('payroll-batch', 'main', persons, names);
  passed('payroll-batch');
  await expect(verify(publishing)).rejects.toMatchObject({ code: 'verification-failed' });
  const mismatches = [{ attribute: 'body $[0].firstName', description: 'expected this field, got none.' }];
  expect(double.results.at(-1)).toMatchObject({
    providerApplicationVersion: '1.4.0',
    success: false,
    testResults: [
      { interactionId: '0-0', success: true, mismatches: [] },
      { interactionId: '0-1', success: false, mismatches },
    ],
  });
});

test('the broker learns of a fault that Pact does not see', async () => {
  const rules = { '$[*].id': { matchers: [{ match: 'regex', regex: '^[0-9]+$' }] } };
  await publish('payroll-batch', 'main', { ...persons, rules });
  passed('payroll-batch');
  response = '[{"id":4711}]';
  await expect(verify(publishing)).rejects.toThrow('body $[0].id: expected a string, got a number.');
  expect(double.results.at(-1)).toMatchObject({ success: false });
});

test('a pact that never passed is pending: it is reported, and fails nothing', async () => {
  await publish('payroll-batch', 'main', persons);
  passed('payroll-batch');
  await publish('planner', 'feature', names);
  const { ok, pacts, interactions } = await verify(publishing);
  expect(ok).toBe(true);
  const outcomes = interactions.map((each) => ({ consumer: each.consumer, pending: each.pending, ok: each.ok }));
  expect(outcomes).toEqual([
    { consumer: 'payroll-batch', pending: false, ok: true },
    { consumer: 'planner', pending: true, ok: false },
  ]);
  expect(pacts.map((each) => each.ok)).toEqual([true, false]);
  expect(interactions[1]?.faults).not.toEqual([]);
  expect(double.results).toContainEqual(expect.objectContaining({ consumer: 'planner', success: false }));
});

test('the broker learns of a state that could not be set up', async () => {
  await publish('payroll-batch', 'main', { ...persons, states: [{ name: 'a person', params: { id: '4711' } }] });
  passed('payroll-batch');
  await expect(verify(publishing)).rejects.toThrow('state "a person": no handler.');
  expect(double.results.at(-1)).toMatchObject({ success: false });
});

test('a broker without pacts fails the verification', async () => {
  await expect(verify(publishing)).rejects.toMatchObject({
    code: 'invalid-pact',
    message: `${double.url} has no pact with hr-cloud to verify. Publish one first.`,
  });
  expect(double.results).toEqual([]);
});

test.each<[what: string, path: RegExp, reply: Reply]>([
  ['an index without links', /^\/$/, [200, { _links: {} }]],
  ['a list that is none', /^\/for-verification/, [200, { _embedded: { pacts: {} } }]],
  ['a page in place of the list', /^\/for-verification/, [200, '<html>']],
  ['a pact of another provider', /^\/pacts\/0$/, [200, { ...pactOf('a', [persons]), provider: { name: 'crm' } }]],
  ['no pact', /^\/pacts\/0$/, [404, {}]],
  ['a page in place of the result', /^\/pacts\/0\/results$/, [200, '<html>']],
  ['a page in place of the branch', /^\/branches/, [200, '<html>']],
  ['an error for the results', /^\/pacts\/0\/results$/, [500, {}]],
  ['nothing about branches', /^\/pacticipants/, [200, {}]],
])('fails when the broker answers with %s', async (_what, path, reply) => {
  await publish('payroll-batch', 'main', persons);
  double.override = (asked) => (path.test(asked) ? reply : undefined);
  await expect(verify(publishing)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:broker-failed|invalid-pact)$/) as string,
  });
});

test('names a wrong token and a broker that cannot be reached, and does not show the token', async () => {
  const error: unknown = await verify({ token: 'a-wrong-token' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'broker-failed', message: expect.stringContaining('PACT_BROKER_TOKEN') });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a-wrong-token');
  await expect(verify({ url: 'http://127.0.0.1:1' })).rejects.toThrow('127.0.0.1:1');
});
