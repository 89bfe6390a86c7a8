import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkDrift } from '@hr/testing/provider';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksOf, contractProject, readPage, type ContractProject } from './contract-project.ts';

const page = await readPage('from-pact-js.md');
/** The tests that the page shows, by their files. */
const files = Array.from(page.matchAll(/^`([\w./-]+)`\n\n```ts\n(.*?)^```$/gms), ([, name = '', text = '']) => ({
  name,
  text,
}));

let project: ContractProject;

beforeAll(async () => {
  vi.stubEnv('LOG_LEVEL', 'error');
  project = await contractProject();
  await project.write(
    'vitest.config.ts',
    "import { contractFiles } from '@hr/testing/pact/vitest';\nexport default { plugins: [contractFiles()] };",
  );
});
afterAll(() => project.remove());

function run(...args: string[]): Promise<string> {
  const program = new URL('../../../packages/testing/bin/hr-contracts.js', import.meta.url);
  return project.node([program.pathname, ...args]);
}

test('the pacts of the page pass as pact-js writes them, and so does the test that was moved', async () => {
  expect(files.map(({ name }) => name.replace(/^test\/|\.test\.ts$/g, ''))).toEqual([
    'phone-list',
    'bank-change',
    'absence-calendar',
  ]);
  await Promise.all(files.map(({ name, text }) => project.write(name, text)));
  const [code = ''] = /^async function lastNames.*?^}$/ms.exec(files[0]?.text ?? '') ?? [];
  const moved = blocksOf(page, 'ts').at(-1) ?? '';
  await project.write(
    'test/moved.test.ts',
    `import { consumer } from '@hr/testing/pact';\nimport { expect, test } from 'vitest';\n${code}\n${moved}`,
  );
  expect(await project.tests()).toContain('moved/phone-list-hr-cloud.json written');
  expect(await run('drift', 'pacts', 'moved')).toContain('0 differences between contracts and the API.');
  expect(await run('verify', 'pacts')).toBe(blocksOf(page, 'text')[0]);
  expect(await run('verify', 'pacts', 'moved')).toContain('6 of 6 interactions passed');
});

/** Interactions of pact-js that are refused, each by a consumer of its own. */
const refused = `
import { MatchersV3, MessageConsumerPact, PactV2, PactV3, PactV4 } from '@pact-foundation/pact';
import { test } from 'vitest';

const { eachLike, fromProviderState, like } = MatchersV3;
const body = eachLike({ id: like('4711') });
const ada = ['a person', { id: '4711' }];
const headers = { Authorization: 'Bearer contract-token' };
const path = '/api/v1/persons';
const request = { method: 'GET', path, headers };

const cases = {
  state: { given: ['person 4711 exists'] },
  parameter: { given: ['a person'] },
  ' ': {},
  provider: { provider: 'crm' },
  generator: { request: { ...request, path: fromProviderState('/api/v1/\${of}', path) } },
  format: { body: eachLike({ groupEntryDate: like('2026-02-02') }) },
  token: { request: { ...request, headers: { Authorization: 'Bearer mine' } } },
};
test.each(Object.entries(cases))('%s', async (consumer, own) => {
  const given = { provider: 'hr-cloud', given: ada, request, body, ...own };
  const pact = new PactV3({ consumer, provider: given.provider, dir: 'refused', logLevel: 'error' });
  pact.given(...given.given).uponReceiving('all').withRequest(given.request);
  pact.willRespondWith({ status: 200, body: given.body });
  await pact.executeTest(({ url }) => fetch(url + path, { headers: given.request.headers }));
});

test('PactV2', async () => {
  const pact = new PactV2({ consumer: 'v2', provider: 'hr-cloud', dir: 'refused', logLevel: 'error' });
  await pact.setup();
  await pact.addInteraction({ state: 'a person', uponReceiving: 'all', withRequest: request, willRespondWith: { status: 200 } });
  await fetch(pact.mockService.baseUrl + path, { headers });
  await pact.verify();
  await pact.finalize();
});

test('messages', async () => {
  const first = new MessageConsumerPact({ consumer: 'message-3', provider: 'hr-cloud', dir: 'refused', logLevel: 'error' });
  await first.expectsToReceive('hired').withContent({ id: '1' }).verify(async () => {});
  const second = new PactV4({ consumer: 'message-4', provider: 'hr-cloud', dir: 'refused', logLevel: 'error' });
  const hired = second.addAsynchronousInteraction().expectsToReceive('hired', (built) => built.withJSONContent({ id: '1' }));
  await hired.executeTest(async () => {});
});
`;

test('every message of the page is that of a pact of pact-js, and no pact passes', async () => {
  await project.write('test/refused.test.ts', refused);
  expect(await project.tests(['refused'])).toContain('9 passed');
  const twice = (await project.read('pacts/phone-list-hr-cloud.json')).replace('{', '{"interactions":[],');
  await project.write('refused/twice.json', twice);
  const names = await readdir(join(project.folder, 'refused'));
  const messages = await Promise.all(
    names.map((name) =>
      checkDrift({ pacts: [join(project.folder, 'refused', name)] }).then(
        ({ faults }) => faults.map(({ place, message }) => `${place}: ${message}`).join('\n'),
        ({ message }: Error) => message,
      ),
    ),
  );
  messages.push(await run('verify', 'refused/token-hr-cloud.json'));
  const [, table = ''] = /^## What is refused$(.*?)^## /ms.exec(page) ?? [];
  const shown = Array.from(table.matchAll(/^\| [^|]+ \| (`[^|]+) \|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, text = '']) => text),
  ).flat();
  expect(shown).toHaveLength(11);
  expect(shown.filter((text) => !messages.some((message) => message.includes(text)))).toEqual([]);
  expect(messages.filter((message) => !shown.some((text) => message.includes(text)))).toEqual(['']);
});
