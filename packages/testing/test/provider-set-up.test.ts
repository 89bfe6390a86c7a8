import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  VerificationFailedError,
  verifyProvider,
  type Fault,
  type StateHandlers,
  type VerifyOptions,
} from '@hr/testing/provider';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { jsonFile, newFolder, pactOf, type TestInteraction } from './pact-file.ts';
import { json, startProvider, type ProviderUnderTest } from './provider-under-test.ts';

/** A provider that passes every contract here: what fails is the set-up of the verification. */
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
const right: TestInteraction = { response: [] };
const aPerson: TestInteraction = { response: [], states: [{ name: 'a person', params: { id: '4711' } }] };

/** Never ends, and lets time pass. */
function hang(seconds: number): Promise<never> {
  setImmediate(() => vi.advanceTimersByTime(seconds * 1000));
  return new Promise(() => undefined);
}

/** What is said of an error that a function of the provider throws. */
function thrownAs(what: string): string {
  const said = `^threw ${what} at provider-set-up\\.test\\.ts:\\d+\\. Its message is not shown, as it may contain personal data\\.`;
  return expect.stringMatching(new RegExp(said)) as string;
}

function noPact(path: string): string {
  return `${path} has no pacts. Correct the path, or add a .json file.`;
}

/** What is reported of interactions, with options of which one is wrong. */
async function faultsWith(
  interactions: readonly TestInteraction[],
  options: Partial<VerifyOptions> = {},
): Promise<readonly Fault[]> {
  const source = { pacts: [await jsonFile(pactOf('payroll', interactions))] };
  const error: unknown = await verifyProvider({ provider, states: {}, token, ...options, source }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VerificationFailedError)) throw error;
  expect(error.result.ok).toBe(false);
  return error.result.interactions.flatMap(({ faults }) => faults);
}

/** The error of a source that cannot be read; nothing is sent. */
async function refusalOf(source: VerifyOptions['source']): Promise<string> {
  const error: unknown = await verifyProvider({ provider, source, states: {}, token }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'invalid-pact' });
  expect(provider.requests).toEqual([]);
  return (error as Error).message;
}

describe('the pacts', () => {
  test.each([{}, { pacts: [] }, undefined, null, 'pacts'])('%j is refused', async (source) => {
    expect(await refusalOf(source as never)).toBe('No pacts are named. Name files, or folders of them.');
  });

  test('an empty folder is refused, also beside one with pacts', async () => {
    const [empty, full] = [await newFolder(), await newFolder()];
    await writeFile(join(empty, 'README.md'), '# Pacts');
    await writeFile(join(empty, '.gitkeep'), '');
    await jsonFile(pactOf('payroll', [right]), full);
    expect(await refusalOf({ pacts: [empty] })).toBe(noPact(empty));
    expect(await refusalOf({ pacts: [full, empty] })).toBe(noPact(empty));
  });

  test('a missing file or folder is refused, also beside pacts', async () => {
    const folder = await newFolder();
    const file = await jsonFile(pactOf('payroll', [right]), folder);
    const gone = join(folder, 'gone');
    expect(await refusalOf({ pacts: [file, gone] })).toBe(`${gone} does not exist. Correct the path.`);
  });

  test('subfolders are read, and .JSON, each file once', async () => {
    const folder = await newFolder();
    const deep = join(folder, 'payroll', 'batch');
    await mkdir(deep, { recursive: true });
    const file = await jsonFile(pactOf('payroll', [right]), deep, 'pact.JSON');
    await symlink(file, join(folder, 'link.json'));
    await writeFile(join(folder, 'README.md'), '# Pacts');
    const source = { pacts: [folder, join(folder, 'payroll/'), join(deep, '../batch/pact.JSON')] };
    const { pacts } = await verifyProvider({ provider, source, states: {}, token });
    expect(pacts.map(({ consumer }) => consumer)).toEqual(['payroll', 'payroll']);
  });

  test('a file may begin with a byte order mark', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'pact.json'), `\uFEFF${JSON.stringify(pactOf('payroll', [right]))}`);
    await expect(verifyProvider({ provider, source: { pacts: [folder] }, states: {}, token })).resolves.toMatchObject({
      ok: true,
    });
  });

  test.each(['pact.json.bak', 'pact', 'pact.yaml', 'payroll/pact.txt'])(
    '%s in a folder of pacts is refused',
    async (name) => {
      const folder = await newFolder();
      await mkdir(join(folder, 'payroll'));
      await jsonFile(pactOf('payroll', [right]), folder);
      await writeFile(join(folder, name), '{}');
      const file = join(folder, name);
      expect(await refusalOf({ pacts: [folder] })).toBe(
        `${file} is not a pact. Move it out of ${folder}, or name it .json.`,
      );
    },
  );

  test.each(['.payroll/pact.json', '.pact.json'])('%s in a folder of pacts is refused', async (name) => {
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [right]), folder);
    await mkdir(join(folder, '.payroll'));
    await writeFile(join(folder, name), '{}');
    expect(await refusalOf({ pacts: [folder] })).toBe(
      `${join(folder, name)} is hidden, as a name in its path starts with a dot. Rename or move it.`,
    );
  });

  test('a link that leads nowhere is refused', async () => {
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [right]), folder);
    await symlink(join(folder, 'gone'), join(folder, 'link.json'));
    expect(await refusalOf({ pacts: [folder] })).toContain('link.json does not exist.');
  });

  const pact = pactOf('payroll', [right]);
  const [interaction] = pact.interactions;
  const withMember = (member: object) => JSON.stringify({ ...pact, interactions: [{ ...interaction, ...member }] });
  const withResponse = (member: object) => withMember({ response: { ...interaction?.response, ...member } });
  const withRules = (place: string, matchers: readonly object[]) =>
    withResponse({
      body: { content: [{ id: '1', name: 'x', endDate: null }], contentType: 'application/json', encoded: false },
      matchingRules: { body: { [place]: { matchers } } },
    });
  test.each<[what: string, content: string, fault: string]>([
    ['no JSON', '{\n  nope', 'not JSON: see line 2, column 3.'],
    ['an empty file', '', 'not JSON: it ends too early.'],
    ['the half of a file', JSON.stringify(pact).slice(0, 200), 'not JSON: '],
    ['an array', '[]', 'no pact with hr-cloud: the document must be an object'],
    ['another file', '{"name":"payroll"}', 'no pact with hr-cloud: /metadata is required'],
    ['no interactions', JSON.stringify({ ...pact, interactions: [] }), '/interactions must not be empty'],
    [
      'specification 2',
      JSON.stringify({ ...pact, metadata: { pactSpecification: { version: '2.0.0' } } }),
      '/metadata/pactSpecification/version must be 3 or 4 (PactV3, PactV4).',
    ],
    [
      'a specification of old tools',
      JSON.stringify({ ...pact, metadata: { pactSpecificationVersion: '1.0.0' } }),
      '/metadata/pactSpecification is required',
    ],
    [
      'a pact of messages',
      JSON.stringify({ ...pact, interactions: [{ ...interaction, type: 'Asynchronous/Messages' }] }),
      '/interactions/0/type must be one of Synchronous/HTTP',
    ],
    [
      'a query of specification 2',
      JSON.stringify({
        ...pact,
        interactions: [{ ...interaction, request: { ...interaction?.request, query: 'a=b' } }],
      }),
      '/interactions/0/request/query must be',
    ],
    [
      'a state of specification 2',
      JSON.stringify({ ...pact, interactions: [{ ...interaction, providerState: 'a person' }] }),
      '/interactions/0/providerState is of specification 2: write providerStates',
    ],
    [
      'a value that a state is to fill in',
      JSON.stringify({
        ...pact,
        interactions: [
          { ...interaction, request: { ...interaction?.request, generators: { path: { type: 'ProviderState' } } } },
        ],
      }),
      '/interactions/0/request/generators must not take values from provider states',
    ],
    [
      'interactions twice',
      `{"interactions":[],${JSON.stringify(pact).slice(1)}`,
      '/interactions must be given only once',
    ],
    [
      'a blank consumer',
      JSON.stringify({ ...pact, consumer: { name: ' ' } }),
      '/consumer/name must be one line of text',
    ],
    ['messages', JSON.stringify({ ...pact, messages: [{ description: 'hired' }] }), '/messages must not be there'],
    [
      'messages only',
      JSON.stringify({ ...pact, interactions: undefined, messages: [{ description: 'hired' }] }),
      '/messages must not be there: the HR Cloud sends no messages.',
    ],
    ['a misspelt member', withMember({ providerStats: [] }), '/interactions/0/providerStats is not known here'],
    [
      'a misspelt path',
      withMember({ request: { ...interaction?.request, Path: '/x' } }),
      '/interactions/0/request/Path',
    ],
    ['a misspelt body', withResponse({ Body: [] }), '/interactions/0/response/Body'],
    ['misspelt rules', withResponse({ matchingrules: {} }), '/interactions/0/response/matchingrules'],
    ['a place without rules', withRules('$', []), '/interactions/0/response/matchingRules/body/$/matchers must'],
    [
      'a pattern for null',
      withRules('$[*].endDate', [{ match: 'regex', regex: '.*' }]),
      'body/$[*].endDate has a pattern, but the example has null there: give it a text',
    ],
    ...['$.id', '$[1]', '/0/id', '$[0].name.first'].map((place): [string, string, string] => [
      `a rule for ${place}`,
      withRules(place, [{ match: 'type' }]),
      `/interactions/0/response/matchingRules/body/${place.replaceAll('/', '~1')} is no place of its example`,
    ]),
    ['another provider', JSON.stringify({ ...pact, provider: { name: 'crm' } }), '/provider/name must be hr-cloud'],
  ])('a file with %s is refused beside a right one', async (_what, content, fault) => {
    const folder = await newFolder();
    await jsonFile(pactOf('payroll', [right]), folder, 'right.json');
    const wrong = join(folder, 'wrong.json');
    await writeFile(wrong, content);
    const message = await refusalOf({ pacts: [folder] });
    expect(message.startsWith(`${wrong} is `)).toBe(true);
    expect(message).toContain(fault);
    expect(message).toMatch(/ Let the tests of its consumer write it again, or move it out of the pacts\.$/);
  });
});

test('a pact that Pact cannot load fails the verification', async () => {
  const { interactions, ...pact } = pactOf('payroll', [right]);
  const untyped = interactions.map(({ type: _type, ...interaction }) => interaction);
  const source = { pacts: [await jsonFile({ ...pact, interactions: untyped })] };
  await expect(verifyProvider({ provider, source, states: {}, token })).rejects.toMatchObject({
    code: 'verification-failed',
    message: expect.stringMatching(/^Pact's verifier returned no result for payroll: interaction 1\.\n/) as string,
  });
});

describe('the provider', () => {
  test.each(['localhost:4010', '', 'ftp://localhost'])('at %j is refused', async (url) => {
    const source = { pacts: [await jsonFile(pactOf('payroll', [right]))] };
    const refused = verifyProvider({ provider: { url }, source, states: {} });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'The URL of the provider is not an http(s) URL. Correct it.',
    });
  });

  test('that does not listen fails the verification at once', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => void server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => void server.close(resolve));
    const source = { pacts: [await jsonFile(pactOf('payroll', [right]))] };
    await expect(verifyProvider({ provider: { url }, source, states: {}, token })).rejects.toMatchObject({
      code: 'verification-failed',
      message: `No server listens at ${url}. Start the provider, or correct its URL.`,
    });
  });

  test('that breaks off some responses fails these interactions', async () => {
    const broken = await startProvider((response, request) => {
      if (request.path === '/down') response.socket?.destroy();
      else json([])(response, request);
    });
    const down = { ...right, path: '/down' };
    const faults = await faultsWith([down, right, down], { provider: broken });
    await broken.stop();
    const fault = { place: 'provider', message: expect.stringMatching(/^no complete response: /) as string };
    expect(faults).toEqual([fault, fault]);
  });

  test('that goes down fails what follows', async () => {
    const mortal = await startProvider((response, request) => {
      response.setHeader('Connection', 'close');
      json([])(response, request);
    });
    let tried = 0;
    const reset = async () => {
      tried += 1;
      if (tried === 2) await mortal.stop();
    };
    expect(await faultsWith([right, right], { provider: mortal, reset })).toEqual([
      { place: 'provider', message: expect.stringContaining('ECONNREFUSED') as string },
    ]);
  });

  test('that is another server fails', async () => {
    const other = await startProvider((response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>It works!</html>');
    });
    const faults = await faultsWith([right], { provider: other });
    await other.stop();
    expect(faults.map(({ place }) => place)).toEqual(['body', 'header Content-Type']);
  });

  test('that refuses a token of the contract gets the hint to write the example token', async () => {
    const refusing = await startProvider(json({ title: 'Unauthorized' }, 401));
    const own = { ...right, headers: { Authorization: 'Bearer abc' } };
    const faults = await faultsWith([own, right], { provider: refusing });
    await refusing.stop();
    const refused = 'expected 200, got 401. Its problem: Unauthorized.';
    const hint = ' Write "contract-token" into the pact: the option "token" replaces only that.';
    expect(faults).toEqual([
      { place: 'status', message: refused + hint },
      { place: 'status', message: refused },
    ]);
  });
});

describe('a provider state', () => {
  test('that is unknown fails', async () => {
    const [fault] = await faultsWith([{ response: [], states: [{ name: 'a purson', params: { id: '1' } }] }]);
    expect(fault?.place).toBe('state "a purson"');
    expect(fault?.message).toMatch(/^unknown\. Use one of: a person, /);
    expect(provider.requests).toEqual([]);
  });

  test('with wrong parameters fails, and none is set up', async () => {
    let called = 0;
    const handler = () => void (called += 1);
    const states: StateHandlers = { 'a person': handler };
    const [first] = aPerson.states ?? [];
    const wrong = {
      response: [],
      states: [
        { ...first, name: 'a person' },
        { name: 'a person', params: { name: 'x' } },
      ],
    };
    const faults = await faultsWith([wrong], { states, reset: handler });
    expect(called).toBe(0);
    expect(faults).toEqual([{ place: 'state "a person"', message: expect.stringMatching(/\/id.*name/) as string }]);
    expect(provider.requests).toEqual([]);
  });

  test.each<[what: string, states: StateHandlers]>([
    ['without a handler', {}],
    ['with an undefined handler', { 'a person': undefined }],
    ['with an inherited handler only', Object.create({ 'a person': () => undefined }) as StateHandlers],
  ])('%s fails', async (_what, states) => {
    expect(await faultsWith([aPerson], { states })).toEqual([
      { place: 'state "a person"', message: 'no handler. Add one to the option "states".' },
    ]);
    expect(provider.requests).toEqual([]);
  });

  test('whose handler throws fails without its message, and the other interactions are tried', async () => {
    const thrown = Object.assign(new TypeError('no table for Zoë'), { code: 'E_TABLE', detail: 'Zoë' });
    const states: StateHandlers = {
      'a person': () => {
        throw thrown;
      },
      'an absence': () => expect.unreachable('A state before it failed.'),
    };
    const two = [...(aPerson.states ?? []), { name: 'an absence', params: { personId: '4711' } }];
    const source = { pacts: [await jsonFile(pactOf('payroll', [{ ...aPerson, states: two }, right]))] };
    const error: unknown = await verifyProvider({ provider, source, states, token }).catch((each: unknown) => each);
    expect(inspect(error, { depth: Infinity })).not.toContain('Zoë');
    expect(error).toMatchObject({
      result: {
        interactions: [
          {
            ok: false,
            states: ['a person', 'an absence'],
            faults: [{ place: 'handler of state "a person"', message: thrownAs('TypeError E_TABLE') }],
          },
          { ok: true, faults: [] },
        ],
      },
    });
    expect(provider.requests).toHaveLength(1);
  });

  test('that a handler does not set up fails by what the provider gives', async () => {
    const source = { ...aPerson, response: [{ id: '4711' }] };
    expect(await faultsWith([source], { states: { 'a person': () => undefined } })).toEqual([
      { place: 'body $', message: 'expected an array of length 1, got 0.' },
    ]);
  });

  test('that fails cannot be what an interaction expects', async () => {
    const states: StateHandlers = { 'a person': () => Promise.reject(new Error('no')) };
    const expecting = [500, 502, 503, 599].map((status) => ({ ...aPerson, status, response: undefined }));
    expect(await faultsWith(expecting, { states })).toHaveLength(4);
  });
});

test('reset that throws fails each interaction', async () => {
  expect(await faultsWith([right], { reset: () => Promise.reject(new Error('no database')) })).toEqual([
    { place: 'reset', message: thrownAs('Error') },
  ]);
  expect(provider.requests).toEqual([]);
});

describe('timeouts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => void vi.useRealTimers());

  test('a state handler may take 30 s', async () => {
    expect(await faultsWith([aPerson], { states: { 'a person': () => hang(30) } })).toEqual([
      { place: 'handler of state "a person"', message: 'timed out after 30 s.' },
    ]);
    expect(provider.requests).toEqual([]);
  });

  test('reset may take 30 s', async () => {
    expect(await faultsWith([right], { reset: () => hang(30) })).toEqual([
      { place: 'reset', message: 'timed out after 30 s.' },
    ]);
  });

  test('a token source may take 30 s', async () => {
    expect(await faultsWith([right], { token: () => hang(30) })).toEqual([
      { place: 'header Authorization', message: 'timed out after 30 s.' },
    ]);
  });

  const late = { place: 'provider', message: 'no complete response: timed out after 10 s.' };

  test('a response may take 10 s to begin', async () => {
    const silent = await startProvider(() => void hang(10));
    const faults = await faultsWith([right], { provider: silent });
    await silent.stop();
    expect(faults).toEqual([late]);
  });

  test('a response may take 10 s to end', async () => {
    const slow = await startProvider((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('[');
      void hang(10);
    });
    const faults = await faultsWith([right], { provider: slow });
    await slow.stop();
    expect(faults).toEqual([late]);
  });
});

test('a pact in a file cannot excuse an interaction as pending', async () => {
  const { interactions, ...pact } = pactOf('payroll', [right, { ...right, status: 201 }]);
  const pending = interactions.map((interaction) => ({ ...interaction, pending: true }));
  const source = { pacts: [await jsonFile({ ...pact, interactions: pending })] };
  await expect(verifyProvider({ provider, source, states: {}, token })).rejects.toMatchObject({
    result: {
      ok: false,
      interactions: [
        { pending: false, ok: true },
        { pending: false, ok: false, faults: [{ place: 'status', message: 'expected 201, got 200.' }] },
      ],
    },
  });
});

test('a verifier that exits early fails the verification', async () => {
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,process.exit(0)');
  const source = { pacts: [await jsonFile(pactOf('payroll', [right]))] };
  await expect(verifyProvider({ provider, source, states: {}, token })).rejects.toMatchObject({
    code: 'verification-failed',
    message: [
      "Pact's verifier returned no result for payroll: interaction 1.",
      'Its process exited early.',
      'Verify again with more memory. If that fails, verify parts of the pact to find the interaction that causes it.',
    ].join('\n'),
  });
});

describe('a token in place of the example of a contract', () => {
  const options = { 'contract-token': 'token', 'token-without-scope': 'tokenWithoutScope' };
  const both = Object.keys(options).map((name) => ({ ...right, headers: { Authorization: `Bearer ${name}` } }));

  test.each<[what: string, source: unknown, message: (option: string) => string]>([
    ['is missing', undefined, (option) => `the pact needs a token. Set the option "${option}".`],
    ['is empty', () => '', (option) => `the option "${option}" returned no token.`],
    ['is undefined', () => undefined, (option) => `the option "${option}" returned no token.`],
    ['is an object', () => ({ token: 'x' }), (option) => `the option "${option}" returned no token.`],
    ['throws', () => Promise.reject(new Error('401')), () => thrownAs('Error')],
    ['throws no error', () => Promise.reject('401'), () => expect.stringMatching(/^threw no error\. /) as string],
  ])('%s', async (_what, source, message) => {
    expect(await faultsWith(both, { token: source, tokenWithoutScope: source } as never)).toEqual(
      Object.values(options).map((option) => ({ place: 'header Authorization', message: message(option) })),
    );
    expect(provider.requests).toEqual([]);
  });
});

test.each<[options: object, message: string]>([
  [{ source: { pacts: 'pacts' } }, '"pacts" is not a list. Pass a list of files and folders.'],
  [{ source: { broker: {} } }, 'The URL of the broker is not an http(s) URL. Correct it.'],
  [{ states: undefined }, '"states" is missing. Pass the handlers of the provider states.'],
  [{ states: { 'a person': 'x' } }, 'The handler of the state "a person" is not a function. Pass one.'],
  [
    { tokenWithoutSkope: token },
    'verifyProvider: unknown option "tokenWithoutSkope". Use provider, source, states, reset, tearDown, approvePayments, token, tokenWithoutScope.',
  ],
  [{ source: { folders: ['pacts'] } }, 'source: unknown option "folders". Use pacts, record, broker.'],
  [{ source: { pacts: [], record: { path: 'x' } } }, 'record: unknown option "path". Use file, version.'],
  [{ provider: undefined }, 'The URL of the provider is not an http(s) URL. Correct it.'],
])('a wrong option is named: %j', async (options, message) => {
  const all = { provider, source: { pacts: ['pacts'] }, states: {}, ...options };
  await expect(verifyProvider(all as never)).rejects.toMatchObject({ code: 'invalid-option', message });
});
