import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  scenarioStates,
  VerificationFailedError,
  verificationReport,
  verifyProvider,
  type StateHandlers,
} from '@hr/testing/provider';
import type { Scenario } from '@hr/testing/states';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';
import { json, startProvider, type ProviderUnderTest, type Respond } from './provider-under-test.ts';

let provider: ProviderUnderTest | undefined;

async function provide(respond: Respond): Promise<ProviderUnderTest> {
  provider = await startProvider(respond);
  return provider;
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await provider?.stop();
  provider = undefined;
});

const token = () => 'a-real-token';
const jsonHeaders = { 'Content-Type': 'application/json' };

/** The report of a failed verification. */
async function reportOf(verification: Promise<unknown>): Promise<string> {
  const error: unknown = await verification.catch((thrown: unknown) => thrown);
  if (error instanceof VerificationFailedError) return error.message;
  throw error;
}

test('tries each interaction of each pact and reports it, with the hash of what the pact says', async () => {
  const { url, requests } = await provide(json([]));
  const folder = await newFolder();
  const payroll = await jsonFile(
    pactOf('payroll', [{ response: [] }, { description: 'again', response: [] }]),
    folder,
    'payroll.json',
  );
  const other = await jsonFile(pactOf('time', [{ states: [{ name: 'an unavailable service' }], response: [] }]));
  const states: StateHandlers = { 'an unavailable service': () => undefined };

  const source = { pacts: [folder, other] };
  const result = await verifyProvider({ provider: { url }, source, states, token });

  const passed = { request: 'GET /api/v1/persons', states: [], pending: false, ok: true, faults: [] };
  expect(result.ok).toBe(true);
  expect(result.interactions.toSorted((one, two) => (one.consumer < two.consumer ? -1 : 1))).toEqual([
    { ...passed, consumer: 'payroll', pact: payroll, description: 'interaction 1' },
    { ...passed, consumer: 'payroll', pact: payroll, description: 'again' },
    { ...passed, consumer: 'time', pact: other, description: 'interaction 1', states: ['an unavailable service'] },
  ]);
  const hash = expect.stringMatching(/^[\da-f]{64}$/) as string;
  expect(result.pacts).toHaveLength(2);
  expect(result.pacts).toContainEqual({ pact: payroll, consumer: 'payroll', hash, ok: true });
  expect(result.pacts).toContainEqual({ pact: other, consumer: 'time', hash, ok: true });
  expect(requests).toHaveLength(3);
  expect(verificationReport(result)).toMatch(
    /^Verification of hr-cloud passed: 3 of 3 interactions passed\.\n {2}\w+: \d of \d\n {2}\w+: \d of \d$/,
  );
});

test('tells interactions apart that have one description', async () => {
  const { url } = await provide((response, { path }) => json([], path === '/2' ? 404 : 200)(response, {} as never));
  const same = { description: 'the same', response: [] };
  const one = await jsonFile(
    pactOf('payroll', [
      { ...same, path: '/1' },
      { ...same, path: '/2' },
    ]),
  );
  const two = await jsonFile(pactOf('payroll', [{ ...same, path: '/3' }]));
  const failed = verifyProvider({ provider: { url }, source: { pacts: [one, two] }, states: {}, token });
  const error = (await failed.catch((thrown: unknown) => thrown)) as VerificationFailedError;
  const { interactions, pacts } = error.result;
  const outcomes = (file: string) => interactions.flatMap(({ pact, ok }) => (pact === file ? ok : []));
  expect([outcomes(one), outcomes(two)]).toEqual([[true, false], [true]]);
  expect(pacts).toHaveLength(2);
  expect(pacts).toContainEqual(expect.objectContaining({ pact: one, ok: false }));
  expect(pacts).toContainEqual(expect.objectContaining({ pact: two, ok: true }));
});

test('verifies what it has read, whatever happens to the file meanwhile', async () => {
  const file = await jsonFile(pactOf('payroll', [{ response: [{ id: '1' }] }]));
  const { url } = await provide(json([]));
  const reset = () => writeFile(file, JSON.stringify(pactOf('payroll', [{ response: [] }])));
  const failed = verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token, reset });
  expect(await reportOf(failed)).toContain('expected an array of length 1, got 0.');
});

test('resets before each interaction, then sets up its states one after the other', async () => {
  const log: unknown[] = [];
  const { url } = await provide((response, request) => {
    log.push(request.path);
    json([])(response, request);
  });
  const person = { name: 'a person', params: { id: '4711', lastName: 'Ek' } };
  const contract = { name: 'a contract', params: { payrollContractId: '1-77', personId: '4711' } };
  const file = await jsonFile(
    pactOf('payroll', [
      { path: '/1', response: [], states: [person, contract] },
      { path: '/2', response: [] },
      { path: '/3', response: [], states: [person] },
    ]),
  );
  const states: StateHandlers = {
    'a person': (parameters, context) => void log.push(parameters, context.states),
    'a contract': ({ payrollContractId }, context) => void log.push(payrollContractId, context.states),
  };
  const reset = (context: object) => void log.push('reset', context);

  await verifyProvider({ provider: { url }, source: { pacts: [file] }, states, reset, token });

  const both = [
    ['a person', person.params],
    ['a contract', contract.params],
  ];
  const one = both.slice(0, 1);
  const first = ['reset', { states: both }, person.params, one, '1-77', both, '/1'];
  const second = ['reset', { states: [] }, '/2'];
  expect(log).toEqual([...first, ...second, 'reset', { states: one }, person.params, one, '/3']);
});

test('sets up all states by one function', async () => {
  const { url } = await provide(json([]));
  const scenarios: Scenario[] = [];
  const states = [
    { name: 'a person', params: { id: '4711' } },
    { name: 'an absence', params: { personId: '4711' } },
  ];
  const file = await jsonFile(pactOf('payroll', [{ response: [], states }]));
  const handlers = scenarioStates((scenario) => void scenarios.push(scenario));
  await verifyProvider({ provider: { url }, source: { pacts: [file] }, states: handlers, token });
  expect(scenarios.map(({ members }) => members.map(({ absences }) => absences.length))).toEqual([[0], [1]]);
});

test('sends real tokens in place of the examples, after the states, and nothing else', async () => {
  const { url, requests } = await provide(json([]));
  const names = ['contract-token', 'token-without-scope', 'rejected-token', 'contract-token-2'];
  const interactions = names.map((name) => ({ headers: { Authorization: `Bearer ${name}` }, response: [] }));
  const file = await jsonFile(
    pactOf('payroll', [...interactions, { headers: { Authorization: 'Basic YTpi' }, response: [] }]),
  );
  let count = 0;
  await verifyProvider({
    provider: { url },
    source: { pacts: [file] },
    states: {},
    reset: () => void (count += 1),
    token: async () => Promise.resolve(`real-${count}`),
    tokenWithoutScope: () => 'small',
  });
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer real-1',
    'Bearer small',
    'Bearer rejected-token',
    'Bearer contract-token-2',
    'Basic YTpi',
  ]);
});

test.each([
  'grant_type=client_credentials&client_id=fake&client_secret=%2B+%26+%25+%C3%BC%C3%9F',
  'client_secret=a%20b%2Bc&client_id=%7Ex%2A',
  'a=1&a=2&b%5Bc%5D=3',
])('keeps the form %s whole', async (form) => {
  const { url, requests } = await provide(json({}));
  const file = await jsonFile({
    consumer: { name: 'auth' },
    provider: { name: 'hr-cloud' },
    interactions: [
      {
        description: 'requests a token',
        request: {
          method: 'POST',
          path: '/api/oauth2/token',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: form,
        },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '3.0.0' } },
  });
  await verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {} });
  expect(requests).toMatchObject([{ method: 'POST', body: form }]);
});

test('keeps JSON whole, with numbers as they are written', async () => {
  const { url, requests } = await provide(json({}));
  const body = { amount: 1.5, text: 'ü "', nested: [null, true, { large: 12_345_678_901, whole: 7 }] };
  const text = JSON.stringify(pactOf('payroll', [{ method: 'POST', body, response: {} }]));
  const file = await jsonFile({});
  await writeFile(file, text.replace('12345678901', '12345678901234567890').replace(':7', ':7.0'));
  await verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token });
  expect(requests.map((request) => JSON.parse(request.body) as unknown)).toMatchObject([
    { ...body, nested: [null, true, {}] },
  ]);
  expect(requests[0]?.body).toMatch(/"large":\s*12345678901234567890\b.*"whole":\s*7\.0/s);
  expect(requests[0]?.headers['content-type']).toBe('application/json');
});

test('sends nothing to a proxy of the environment, nor to its broker', async () => {
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'PACT_BROKER_BASE_URL'])
    vi.stubEnv(name, address);
  // As Node.js does when it is started with NODE_USE_ENV_PROXY.
  const { globalAgent } = http;
  onTestFinished(() => void (http.globalAgent = globalAgent));
  http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: address } });
  vi.stubEnv('PACT_BROKER_PUBLISH_VERIFICATION_RESULTS', 'true');
  vi.stubEnv('PACT_PROVIDER_VERSION', '1');
  const { url } = await provide(json([]));
  const file = await jsonFile(pactOf('payroll', [{ response: [] }]));
  const result = await verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token });
  expect(result.ok).toBe(true);
  proxy.close();
  expect(connections).toBe(0);
});

test('no variable of Pact leaves interactions out', async () => {
  vi.stubEnv('PACT_DESCRIPTION', 'none of them');
  vi.stubEnv('PACT_PROVIDER_STATE', 'another state');
  vi.stubEnv('PACT_PROVIDER_NO_STATE', 'true');
  const { url, requests } = await provide(json([]));
  const file = await jsonFile(pactOf('payroll', [{ response: [] }, { response: [], status: 404 }]));
  const failed = verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token });
  expect(await reportOf(failed)).toContain('1 of 2 interactions passed');
  expect(requests).toHaveLength(2);
});

test('Pact reports nothing to its makers', async () => {
  const { url } = await provide(json([]));
  const file = await jsonFile(pactOf('payroll', [{ response: [] }]));
  const seen = join(await newFolder(), 'environment.json');
  const program = `import fs from 'node:fs'; fs.writeFileSync('${seen}', JSON.stringify(process.env))`;
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(program)}`);
  vi.stubEnv('PACT_DO_NOT_TRACK', '1');
  await verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token });
  // Any other value does nothing.
  expect(JSON.parse(await readFile(seen, 'utf8'))).toMatchObject({ PACT_DO_NOT_TRACK: 'true' });
});

test('starts one process for several verifications, and another one after it was killed', async () => {
  const { url } = await provide(json([]));
  const source = { pacts: [await jsonFile(pactOf('payroll', [{ response: [] }]))] };
  const folder = await newFolder();
  const started = join(folder, 'started.txt');
  const program = `import fs from 'node:fs'; fs.appendFileSync('${started}', process.pid + ' ')`;
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(program)}`);
  // Where the killed process leaves its files.
  vi.stubEnv('TMPDIR', folder);
  const verify = () => verifyProvider({ provider: { url }, source, states: {}, token });
  await verify();
  await verify();
  const pids = (await readFile(started, 'utf8')).trim().split(' ');
  expect(pids).toHaveLength(1);
  process.kill(Number(pids[0]));
  await vi.waitFor(verify, { timeout: 120_000 });
});

test('takes a URL with a path', async () => {
  const { url, requests } = await provide(json([]));
  const file = await jsonFile(
    pactOf('payroll', [{ path: '/persons', query: { changedSince: ['2026-01-01'] }, response: [] }]),
  );
  await verifyProvider({ provider: { url: `${url}/hr/` }, source: { pacts: [file] }, states: {}, token });
  expect(requests.map(({ path }) => path)).toEqual(['/hr/persons?changedSince=2026-01-01']);
});

test.each([
  ['an equal media type', 'application/problem+json', 'APPLICATION/PROBLEM+JSON; charset=utf-8', undefined],
  ['a media type that the rule accepts', 'application/json', 'application/hal+json', '^application/(hal\\+)?json$'],
])('accepts %s', async (_what, expected, given, regex) => {
  const { interactions, ...pact } = pactOf('payroll', [{ response: {}, status: 400 }]);
  for (const { response } of interactions) {
    Object.assign(response, {
      headers: { 'content-TYPE': [expected] },
      ...(regex !== undefined && {
        matchingRules: { header: { 'content-TYPE': { matchers: [{ match: 'regex', regex }] } } },
      }),
    });
  }
  const { url } = await provide((response) => void response.writeHead(400, { 'Content-Type': given }).end('{}'));
  const file = await jsonFile({ ...pact, interactions });
  await expect(
    verifyProvider({ provider: { url }, source: { pacts: [file] }, states: {}, token }),
  ).resolves.toMatchObject({ ok: true });
});

test('accepts another status where a rule of the pact does', async () => {
  const { interactions, ...pact } = pactOf('payroll', [{ response: [] }]);
  const status = { matchers: [{ match: 'statusCode', status: 'success' }] };
  for (const { response } of interactions) Object.assign(response, { matchingRules: { status } });
  const source = { pacts: [await jsonFile({ ...pact, interactions })] };
  const { url } = await provide(json([], 203));
  await expect(verifyProvider({ provider: { url }, source, states: {}, token })).resolves.toMatchObject({ ok: true });
});

test('fails a test without a further line, and the message is the report', async () => {
  const { url } = await provide((response) => void response.writeHead(200, jsonHeaders).end('[]'));
  const states = [{ name: 'a person', params: { id: '1' } }];
  const file = await jsonFile(pactOf('payroll', [{ response: [], status: 201, states }, { response: [] }]));
  const handlers = { 'a person': () => undefined };
  const failed = verifyProvider({ provider: { url }, source: { pacts: [file] }, states: handlers, token });
  await expect(failed).rejects.toMatchObject({
    name: 'VerificationFailedError',
    code: 'verification-failed',
    result: { ok: false, pacts: [{ ok: false }], interactions: [{ ok: false }, { ok: true }] },
  });
  expect(await reportOf(failed)).toBe(`Verification of hr-cloud failed: 1 of 2 interactions passed.
  payroll: 1 of 2

payroll: interaction 1 (given a person)
  in ${file}
  GET /api/v1/persons
  status: expected 201, got 200.`);
});
