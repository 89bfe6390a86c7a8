import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Fault, StateHandlers, VerificationFailedError, VerifyOptions } from '@hr/testing/provider';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';
import type { Said } from './pact-file.ts';
import { json, startProvider, verifiers } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** A provider that does right all the time: whatever fails here is the verification. */
let provider: ProviderUnderTest;

beforeAll(async () => {
  provider = await startProvider(json([]));
});
afterAll(() => provider.stop());
afterEach(() => {
  vi.unstubAllEnvs();
  provider.requests.length = 0;
});

const token = () => 'a-real-token';
const right: Said = { answer: [] };
const aPerson: Said = { answer: [], states: [{ name: 'a person', params: { id: '4711' } }] };

/** Never ends, and lets a time pass by. */
function hang(seconds: number): Promise<never> {
  setImmediate(() => vi.advanceTimersByTime(seconds * 1000));
  return new Promise(() => undefined);
}

describe.each(verifiers)('$name', ({ verify }) => {
  async function faultsOf(options: Partial<VerifyOptions>): Promise<readonly Fault[]> {
    const source =
      'source' in options && options.source && 'folders' in options.source ? options.source : { files: [] };
    const all = { provider: { url: provider.url }, states: {}, token, ...options, source };
    const { result } = await verify(all).then(
      () => expect.unreachable('It was verified.'),
      (error: VerificationFailedError) => error,
    );
    expect(result.ok).toBe(false);
    return [...result.faults, ...result.interactions.flatMap(({ faults }) => faults)];
  }

  /** Verifies these interactions; what is given has to go wrong. */
  async function faultsWith(interactions: readonly Said[], options: Partial<VerifyOptions> = {}) {
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', interactions), folder);
    return faultsOf({ ...options, source: { folders: [folder] } });
  }

  test('fails without a pact', async () => {
    expect(await faultsOf({ source: { folders: [] } })).toEqual([
      { place: 'pacts', sentence: 'Name the pacts: files, or folders of them.' },
    ]);
  });

  test.each([undefined, null, {}, 'pacts'])('refuses the source %j', async (source) => {
    const failed = verify({ provider, source: source as never, states: {}, token });
    await expect(failed).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'source says no pacts: give files, folders, or a broker.',
    });
  });

  test('says that nothing could be verified where nothing was', async () => {
    const folder = await newFolder();
    const headline = 'hr-cloud could not be verified: ';
    const empty = verify({ provider, source: { folders: [folder] }, states: {}, token });
    await expect(empty).rejects.toThrow(`${headline}0 of 0 interactions hold.`);
    await jsonFile(pactOf('payroll', [right, aPerson]), folder);
    const handless = verify({ provider, source: { folders: [folder] }, states: {}, token });
    await expect(handless).rejects.toThrow(`${headline}1 of 2 interactions hold.`);
    await jsonFile(pactOf('payroll', [{ ...right, status: 404 }, aPerson]), folder);
    const broken = verify({ provider, source: { folders: [folder] }, states: {}, token });
    await expect(broken).rejects.toThrow('hr-cloud does not hold its contracts: 0 of 2 interactions hold.');
  });

  test('names the example token where a token of the contract is refused', async () => {
    const refusing = await startProvider(json({ title: 'Unauthorized' }, 401));
    const own = { ...right, headers: { Authorization: 'Bearer abc' } };
    const faults = await faultsWith([own, right], { provider: refusing });
    await refusing.stop();
    const refused = 'The contract expects 200, and the provider answers 401. Its problem: Unauthorized.';
    const hint =
      ' The contract sends a token of its own: write "contract-token", in place of which the option token puts a real one.';
    expect(faults).toEqual([
      { place: 'status', sentence: refused + hint },
      { place: 'status', sentence: refused },
    ]);
  });

  test('fails with an empty folder, and with one that is not there', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'README.md'), '# Pacts');
    expect(await faultsOf({ source: { folders: [folder] } })).toEqual([
      { place: 'pacts', sentence: `There is no pact in ${folder}.` },
    ]);
    const gone = join(folder, 'gone');
    expect(await faultsOf({ source: { folders: [gone] } })).toEqual([
      { place: 'pacts', sentence: `The folder ${gone} cannot be read.` },
    ]);
  });

  test.each([
    ['no JSON', '{nope', 'is not JSON.'],
    ['no pact', '{"interactions":1}', 'is not a pact'],
    ['no interaction', JSON.stringify(pactOf('payroll', [])), 'has no interactions, so it says nothing.'],
    [
      'specification 2',
      JSON.stringify({
        ...pactOf('payroll', [right]),
        interactions: [
          {
            description: 'persons',
            providerState: 'a person',
            request: { method: 'GET', path: '/api/v1/persons', query: 'changedSince=2026-01-01' },
            response: { status: 200 },
          },
        ],
        metadata: { pactSpecification: { version: '2.0.0' } },
      }),
      'follows specification 2.0.0 of Pact; write it in specification 3 or 4.',
    ],
    [
      'specification 4 that is marked as 2',
      JSON.stringify({ ...pactOf('payroll', [right]), metadata: { 'pact-specification': { version: '2.0.0' } } }),
      'follows specification 2.0.0 of Pact',
    ],
    [
      'specification 1 of old tools',
      JSON.stringify({ ...pactOf('payroll', [right]), metadata: { pactSpecificationVersion: '1.0.0' } }),
      'follows specification 1.0.0 of Pact',
    ],
    [
      'an unknown specification',
      JSON.stringify({ ...pactOf('payroll', [right]), metadata: {} }),
      'does not say in metadata.pactSpecification.version that it follows specification 3 or 4 of Pact.',
    ],
    [
      'another provider',
      JSON.stringify({ ...pactOf('payroll', [right]), provider: { name: 'crm' } }),
      'is a pact with the provider crm, not with hr-cloud.',
    ],
  ])('fails with a file of %s beside a right one, and tries nothing', async (_, content, sentence) => {
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [right]), folder, 'right.json');
    await writeFile(join(folder, 'wrong.json'), content);
    const faults = await faultsOf({ source: { folders: [folder] } });
    expect(faults).toEqual([{ place: 'pacts', sentence: expect.stringContaining(sentence) as string }]);
    expect(faults[0]?.sentence).toContain('wrong.json');
    expect(provider.requests).toEqual([]);
  });

  test('fails where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => void server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => void server.close(resolve));
    expect(await faultsWith([right], { provider: { url } })).toEqual([
      { place: 'provider', sentence: `Nobody listens at ${url}; is it started?` },
    ]);
  });

  test('fails where the provider breaks off', async () => {
    const broken = await startProvider((response) => void response.socket?.destroy());
    const faults = await faultsWith([right, right], { provider: { url: broken.url } });
    await broken.stop();
    const fault = { place: 'provider', sentence: expect.stringMatching(/^It has given no answer: /) as string };
    expect(faults).toEqual([fault, fault]);
  });

  test('fails with an unknown state', async () => {
    const [fault] = await faultsWith([{ answer: [], states: [{ name: 'a purson', params: { id: '1' } }] }]);
    expect(fault).toEqual({
      place: 'state "a purson"',
      sentence: expect.stringMatching(/^Unknown provider state "a purson". Use one of: a person, /) as string,
    });
    expect(provider.requests).toEqual([]);
  });

  test('fails with parameters that a state does not take', async () => {
    const states: StateHandlers = { 'a person': () => expect.unreachable('It has the wrong parameters.') };
    expect(
      await faultsWith([{ answer: [], states: [{ name: 'a person', params: { name: 'x' } }] }], { states }),
    ).toEqual([
      {
        place: 'state "a person"',
        sentence: expect.stringMatching(/^provider state "a person": .*\/id.*name/) as string,
      },
    ]);
    expect(provider.requests).toEqual([]);
  });

  test('fails without a handler of a state', async () => {
    expect(await faultsWith([aPerson])).toEqual([
      { place: 'state "a person"', sentence: 'The option states has no handler for it.' },
    ]);
    expect(provider.requests).toEqual([]);
  });

  test('fails where a handler throws, tries the other interactions, and hands on what was thrown', async () => {
    const thrown = new Error('the table is missing');
    const states: StateHandlers = {
      'a person': () => {
        throw thrown;
      },
      'an absence': () => expect.unreachable('A state before it is not there.'),
    };
    const folder = await newFolder();
    const noHandler = { answer: [], states: [{ name: 'an outdated time component' }] };
    const two = [...(aPerson.states ?? []), { name: 'an absence', params: { personId: '4711' } }];
    await jsonFile(pactOf('payroll', [{ ...aPerson, states: two }, right, noHandler]), folder);
    const failed = verify({ provider, source: { folders: [folder] }, states, token: () => 'token' });
    await expect(failed).rejects.toMatchObject({
      cause: thrown,
      result: {
        interactions: [
          {
            ok: false,
            states: ['a person', 'an absence'],
            faults: [{ place: 'state "a person"', sentence: 'Its handler has thrown: the table is missing' }],
          },
          { ok: true, faults: [] },
          { ok: false, faults: [{ place: 'state "an outdated time component"' }] },
        ],
      },
    });
    expect(provider.requests).toHaveLength(1);
  });

  describe('takes no longer', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => void vi.useRealTimers());

    test('than 30 seconds for a state handler', async () => {
      const sentence = 'Its handler has thrown: it did not end within 30 seconds.';
      expect(await faultsWith([aPerson], { states: { 'a person': () => hang(30) } })).toEqual([
        { place: 'state "a person"', sentence },
      ]);
      expect(provider.requests).toEqual([]);
    });

    test('than 30 seconds for reset', async () => {
      expect(await faultsWith([right], { reset: () => hang(30) })).toEqual([
        { place: 'reset', sentence: 'The option reset has thrown: it did not end within 30 seconds.' },
      ]);
    });

    test('than 30 seconds for a token', async () => {
      expect(await faultsWith([right], { token: () => hang(30) })).toEqual([
        {
          place: 'header Authorization',
          sentence: 'The option token has thrown: Error: it did not end within 30 seconds.',
        },
      ]);
    });

    test('than 10 seconds for an answer', async () => {
      const silent = await startProvider(() => void hang(10));
      const faults = await faultsWith([right], { provider: { url: silent.url } });
      await silent.stop();
      expect(faults).toEqual([{ place: 'provider', sentence: 'It has given no answer: none came within 10 seconds.' }]);
    });

    test('than 10 seconds for the end of an answer', async () => {
      const silent = await startProvider((response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).write('[');
        void hang(10);
      });
      const faults = await faultsWith([right], { provider: { url: silent.url } });
      await silent.stop();
      expect(faults).toEqual([{ place: 'provider', sentence: 'It has given no answer: none came within 10 seconds.' }]);
    });
  });

  test('fails where an interaction expects the very failure of a state', async () => {
    const states: StateHandlers = { 'a person': () => Promise.reject(new Error('no')) };
    expect(await faultsWith([{ ...aPerson, status: 599, answer: {} }], { states })).toHaveLength(1);
  });

  test('fails where a pact calls the interaction pending that does not hold', async () => {
    const { interactions, ...pact } = pactOf('payroll', [
      right,
      { ...right, status: 201 },
      { ...right, status: 404, answer: {} },
    ]);
    const pending = interactions.map((interaction, index) => ({ ...interaction, pending: index === 1 }));
    const file = await jsonFile({ ...pact, interactions: pending });
    const failed = verify({ provider, source: { files: [file] }, states: {}, token });
    await expect(failed).rejects.toMatchObject({
      result: {
        interactions: [
          { pending: false, ok: true },
          { pending: false, ok: false, faults: [{ sentence: expect.stringContaining('expects 201') as string }] },
          { pending: false, ok: false, faults: [{ sentence: expect.stringContaining('expects 404') as string }] },
        ],
      },
    });
  });

  test('fails where the verifier ends before it has told anything', async () => {
    vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,process.exit(0)');
    const [ofVerifier, ofCount, ...others] = await faultsWith([right]);
    expect(ofVerifier?.sentence).toMatch(/^The verifier gives no results: /);
    expect(ofCount?.sentence).toMatch(/^Only 0 of 1 interactions were tried/);
    expect(others).toEqual([]);
  });

  test('fails where reset throws', async () => {
    expect(await faultsWith([right], { reset: () => Promise.reject(new Error('no database')) })).toEqual([
      { place: 'reset', sentence: 'The option reset has thrown: no database' },
    ]);
    expect(provider.requests).toEqual([]);
  });

  test.each([
    ['contract-token', 'token'],
    ['token-without-scope', 'tokenWithoutScope'],
  ] as const)('fails where a pact sends %s, and %s is missing, empty, or throws', async (name, option) => {
    const interaction = { ...right, headers: { Authorization: `Bearer ${name}` } };
    const place = 'header Authorization';
    const missing = { token: undefined } as unknown as Partial<VerifyOptions>;
    expect(await faultsWith([interaction], missing)).toEqual([
      { place, sentence: `The contract sends the example token "${name}": set the option ${option}.` },
    ]);
    const file = await jsonFile(pactOf('payroll', [interaction]));
    const unset = verify({ provider, source: { files: [file] }, states: {} });
    await expect(unset).rejects.toMatchObject({ cause: { code: 'invalid-option' } });
    expect(await faultsWith([interaction], { [option]: () => '' })).toEqual([
      { place, sentence: `The option ${option} has given no token.` },
    ]);
    expect(await faultsWith([interaction], { [option]: () => Promise.reject(new Error('401')) })).toEqual([
      { place, sentence: `The option ${option} has thrown: Error: 401` },
    ]);
    expect(provider.requests).toEqual([]);
  });
});

describe('verifyProvider', () => {
  const { verify } = verifiers[0];

  test.each([
    ['PACT_DESCRIPTION', 'interaction 1', 1],
    ['PACT_DESCRIPTION', 'none of them', 0],
    ['PACT_PROVIDER_STATE', 'a person', 1],
  ])('fails where %s = %s leaves interactions out', async (name, value, tried) => {
    vi.stubEnv(name, value);
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [right, { ...aPerson, description: 'other' }]), folder);
    const states: StateHandlers = { 'a person': () => undefined };
    const failed = verify({ provider, source: { folders: [folder] }, states, token: () => 'token' });
    await expect(failed).rejects.toMatchObject({
      result: {
        ok: false,
        faults: [
          { place: 'pacts', sentence: expect.stringContaining(`Only ${tried} of 2 interactions were tried`) as string },
        ],
      },
    });
    expect(provider.requests).toHaveLength(tried);
  });
});
