import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verificationReport, verifyProvider, type Broker } from '../src/provider/index.ts';
import { BrokerDouble, type Reply } from './broker-double.ts';
import { pactOf, type TestInteraction } from './pact-file.ts';

let double: BrokerDouble;
let broker: Broker;
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

function publish(consumer: string, branch: string, ...interactions: readonly TestInteraction[]) {
  double.publish(pactOf(consumer, interactions), branch);
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

const buildUrl = 'https://ci.example.com/builds/18';
const publishing = { publish: { version: '1.4.0', buildUrl } };

/** A contract that passed before is not pending any more. */
function passed(consumer: string) {
  double.results.push({ success: true, providerApplicationVersion: '1.3.0', consumer });
}

test('gets the pacts of main, of its own branch, and of what is deployed, and work in progress', async () => {
  publish('payroll-batch', 'main', persons);
  publish('time-terminal', 'release', persons);
  double.deployed.set('production time-terminal', 'release-1');
  publish('planner', 'feature', persons);
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
    new Set([`Bearer ${double.token}`]),
  );
  expect(double.results).toEqual([]);
  expect(double.branches).toEqual([]);
});

test('publishes what passed, for a version of a branch', async () => {
  publish('payroll-batch', 'main', persons);
  const { pacts } = await verify(publishing);
  expect(pacts).toEqual([
    {
      pact: `${double.url}/pacts/0`,
      consumer: 'payroll-batch',
      hash: expect.stringMatching(/^[\da-f]{64}$/) as string,
      ok: true,
      notices: { before: [], after: [] },
    },
  ]);
  expect(double.branches).toEqual(['hr-cloud main 1.4.0']);
  expect(double.results).toMatchObject([
    {
      consumer: 'payroll-batch',
      providerApplicationVersion: '1.4.0',
      buildUrl,
      success: true,
      testResults: [{ interactionId: '0-0', success: true }],
    },
  ]);
});

test('a pact that passed before and fails now fails the verification, and the broker learns why', async () => {
  publish('payroll-batch', 'main', persons, names);
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
  publish('payroll-batch', 'main', { ...persons, rules });
  passed('payroll-batch');
  response = '[{"id":4711}]';
  await expect(verify(publishing)).rejects.toThrow('body $[0].id: expected a string, got a number.');
  expect(double.results.at(-1)).toMatchObject({ success: false });
});

test('a pact that never passed is pending: it is reported, and fails nothing', async () => {
  publish('payroll-batch', 'main', persons);
  passed('payroll-batch');
  publish('planner', 'feature', names);
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
  publish('payroll-batch', 'main', { ...persons, states: [{ name: 'a person', params: { id: '4711' } }] });
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
  publish('payroll-batch', 'main', persons);
  double.override = (asked) => (path.test(asked) ? reply : undefined);
  await expect(verify(publishing)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:broker-failed|invalid-pact)$/) as string,
  });
});

test('prints the notices of the broker that fit the outcome', async () => {
  const after = [true, false].flatMap((success) => [true, false].map((published) => [success, published] as const));
  double.notices = [
    { when: 'before_verification', text: 'selected as the latest of main' },
    ...after.map(([success, published]) => ({
      when: `after_verification:success_${success}_published_${published}`,
      text: `${success ? 'passed' : 'failed'}, ${published ? 'published' : 'not published'}`,
    })),
  ];
  publish('payroll-batch', 'main', persons);
  passed('payroll-batch');
  publish('planner', 'feature', names);
  const unpublished = await verify();
  expect(unpublished.pacts.map(({ notices }) => notices?.after)).toEqual([
    ['passed, not published'],
    ['failed, not published'],
  ]);
  expect(verificationReport(await verify(publishing))).toBe(`Notices of the broker:
  payroll-batch: selected as the latest of main
  planner: selected as the latest of main

Verification of hr-cloud passed: 1 of 2 interactions passed.
  payroll-batch: 1 of 1
  planner: 0 of 1

planner: names, pending
  in ${double.url}/pacts/1
  GET /api/v1/persons
  body $[0].firstName: expected this field, got none.

Notices of the broker:
  payroll-batch: passed, published
  planner: failed, published`);
});

test('logs in with a user name and a password', async () => {
  publish('payroll-batch', 'main', persons);
  const { username, password, url } = double;
  broker = { url, username, password };
  await expect(verify()).resolves.toMatchObject({ ok: true });
});

test.each([
  ['a wrong token', { token: 'hidden' }, 'rejects the credentials (401)'],
  ['a wrong password', { token: '', username: 'payroll', password: 'hidden' }, 'rejects the credentials (401)'],
  ['no credentials', { token: '' }, 'requires credentials (401)'],
])('names %s, and does not show it', async (_what, credentials, why) => {
  const error: unknown = await verify(credentials).catch((thrown: unknown) => thrown);
  const variables = 'PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD';
  const message = `GET ${double.url}/: the broker ${why}. Set ${variables} of a user who may do this.`;
  expect(error).toMatchObject({ code: 'broker-failed', message });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hidden');
});

test('names a broker that cannot be reached, and invalid options of one', async () => {
  await expect(verify({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'broker-failed',
    message: 'GET http://127.0.0.1:1/: the broker cannot be reached. Check PACT_BROKER_BASE_URL.',
  });
  await expect(verify({ url: 'http://user:hidden@127.0.0.1:1' })).rejects.toThrow('contains credentials');
  await expect(verify({ publish: { version: '1', buildUrl: 'builds/18' } })).rejects.toThrow(
    'The build URL is not an http(s) URL. Correct it.',
  );
});
