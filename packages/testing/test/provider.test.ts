import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scenarioStates, VerificationFailedError } from '@hr/testing/provider';
import type { StateHandlers } from '@hr/testing/provider';
import type { Scenario } from '@hr/testing/states';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';
import { json, startProvider, verifiers } from './provider-under-test.ts';
import type { Answer, ProviderUnderTest } from './provider-under-test.ts';

let provider: ProviderUnderTest | undefined;

async function provide(answer: Answer): Promise<ProviderUnderTest> {
  provider = await startProvider(answer);
  return provider;
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await provider?.stop();
  provider = undefined;
});

const token = () => 'a-real-token';

describe.each(verifiers)('$name', ({ verify }) => {
  test('tries each interaction of each pact, and tells of each that it holds', async () => {
    const { url, requests } = await provide(json([]));
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [{ answer: [] }, { description: 'again', answer: [] }]), folder, 'payroll.json');
    const other = await jsonFile(pactOf('time', [{ states: [{ name: 'an unavailable service' }], answer: [] }]));
    const states: StateHandlers = { 'an unavailable service': () => undefined };

    const result = await verify({ provider: { url }, source: { folders: [folder], files: [other] }, states, token });

    expect(result).toMatchObject({ ok: true, provider: 'hr-cloud', faults: [] });
    expect(result.interactions.toSorted((one, two) => (one.consumer < two.consumer ? -1 : 1))).toEqual([
      { consumer: 'payroll', description: 'interaction 1', states: [], pending: false, ok: true, faults: [] },
      { consumer: 'payroll', description: 'again', states: [], pending: false, ok: true, faults: [] },
      {
        consumer: 'time',
        description: 'interaction 1',
        states: ['an unavailable service'],
        pending: false,
        ok: true,
        faults: [],
      },
    ]);
    expect(requests).toHaveLength(3);
  });

  test('resets before each interaction, then makes its states true, one after the other', async () => {
    const log: unknown[] = [];
    const { url } = await provide((response, request) => {
      log.push(request.path);
      json([])(response, request);
    });
    const person = { name: 'a person', params: { id: '4711', lastName: 'Ek' } };
    const contract = { name: 'a contract', params: { payrollContractId: '1-77', personId: '4711' } };
    const file = await jsonFile(
      pactOf('payroll', [
        { path: '/1', answer: [], states: [person, contract] },
        { path: '/2', answer: [] },
        { path: '/3', answer: [], states: [person] },
      ]),
    );
    const states: StateHandlers = {
      'a person': (parameters, context) => void log.push(parameters, context.states),
      'a contract': ({ payrollContractId }, context) => void log.push(payrollContractId, context.states),
    };
    const reset = () => void log.push('reset');

    await verify({ provider: { url }, source: { files: [file] }, states, reset, token });

    const states1 = [
      ['a person', person.params],
      ['a contract', contract.params],
    ];
    const first = ['reset', person.params, [states1[0]], '1-77', states1, '/1'];
    expect(log).toEqual([...first, 'reset', '/2', 'reset', person.params, [states1[0]], '/3']);
  });

  test('makes all states of one function', async () => {
    const { url } = await provide(json([]));
    const scenarios: Scenario[] = [];
    const file = await jsonFile(
      pactOf('payroll', [
        {
          answer: [],
          states: [
            { name: 'a person', params: { id: '4711' } },
            { name: 'an absence', params: { personId: '4711' } },
          ],
        },
      ]),
    );
    const states = scenarioStates((scenario) => void scenarios.push(scenario));
    await verify({ provider: { url }, source: { files: [file] }, states, token });
    expect(scenarios.map(({ members }) => members.map(({ absences }) => absences.length))).toEqual([[0], [1]]);
  });

  test('puts real tokens in place of the examples, once the states are there, and leaves all else as it is', async () => {
    const { url, requests } = await provide(json([]));
    const names = ['contract-token', 'token-without-scope', 'rejected-token', 'contract-token-2'];
    const interactions = names.map((name) => ({ headers: { Authorization: `Bearer ${name}` }, answer: [] }));
    const file = await jsonFile(
      pactOf('payroll', [...interactions, { headers: { Authorization: 'Basic YTpi' }, answer: [] }]),
    );
    let count = 0;
    await verify({
      provider: { url },
      source: { files: [file] },
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
          description: 'asks for a token',
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
    await verify({ provider: { url }, source: { files: [file] }, states: {} });
    expect(requests).toMatchObject([{ method: 'POST', body: form }]);
  });

  test('keeps JSON whole, with numbers as they are written', async () => {
    const { url, requests } = await provide(json({}));
    const body = { amount: 1.5, text: 'ü "', nested: [null, true, { a: 12345678901 }] };
    const file = await jsonFile(pactOf('payroll', [{ method: 'POST', body, answer: {} }]));
    await verify({ provider: { url }, source: { files: [file] }, states: {}, token });
    expect(requests.map((request) => JSON.parse(request.body) as unknown)).toEqual([body]);
    expect(requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('sends nothing by the proxy of the environment, nor to its broker', async () => {
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
    const { url } = await provide(json([]));
    const file = await jsonFile(pactOf('payroll', [{ answer: [] }]));
    expect(await verify({ provider: { url }, source: { files: [file] }, states: {}, token })).toMatchObject({
      ok: true,
    });
    proxy.close();
    expect(connections).toBe(0);
  });

  test('lets Pact report nothing to its makers', async () => {
    const { url } = await provide(json([]));
    const file = await jsonFile(pactOf('payroll', [{ answer: [] }]));
    const seen = join(await newFolder(), 'environment.json');
    const program = `import fs from 'node:fs'; fs.writeFileSync('${seen}', JSON.stringify(process.env))`;
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(program)}`);
    vi.stubEnv('PACT_DO_NOT_TRACK', '1');
    await verify({ provider: { url }, source: { files: [file] }, states: {}, token });
    // Any other value than this one does nothing.
    expect(JSON.parse(await readFile(seen, 'utf8'))).toMatchObject({ PACT_DO_NOT_TRACK: 'true' });
  });

  test('takes an address with a path', async () => {
    const { url, requests } = await provide(json([]));
    const file = await jsonFile(
      pactOf('payroll', [{ path: '/persons', query: { changedSince: ['2026-01-01'] }, answer: [] }]),
    );
    await verify({ provider: { url: `${url}/hr/` }, source: { files: [file] }, states: {}, token });
    expect(requests.map(({ path }) => path)).toEqual(['/hr/persons?changedSince=2026-01-01']);
  });

  test('refuses an address that is none', async () => {
    const file = await jsonFile(pactOf('payroll', [{ answer: [] }]));
    const refused = verify({ provider: { url: 'localhost:4010' }, source: { files: [file] }, states: {} });
    await expect(refused).rejects.toMatchObject({ name: 'HrTestingError', code: 'invalid-option' });
  });

  test('fails a test without a further line', async () => {
    const { url } = await provide(json([]));
    const file = join(await newFolder(), 'pact.json');
    await writeFile(file, JSON.stringify(pactOf('payroll', [{ answer: [], status: 201 }, { answer: [] }])));
    const failed = verify({ provider: { url }, source: { files: [file] }, states: {}, token });
    await expect(failed).rejects.toThrow(VerificationFailedError);
    await expect(failed).rejects.toMatchObject({
      code: 'verification-failed',
      message: `hr-cloud does not hold its contracts: 1 of 2 interactions hold.
  payroll: 1 of 2

payroll: interaction 1
  status: The contract expects 201, and the provider answers 200.
`,
      result: { ok: false, interactions: [{ ok: false }, { ok: true }], faults: [] },
    });
  });
});
