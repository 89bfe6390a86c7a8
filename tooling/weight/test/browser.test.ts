import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { launchChromium } from 'tooling-chromium';
import type { Browser } from 'tooling-chromium';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { moduleName, packageOf } from '../src/module-name.ts';
import { startBackend } from './backend.ts';
import type { Backend } from './backend.ts';
import { buildPage } from './built-page.ts';
import type { BuiltPage } from './built-page.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;

const login = { clientId: 'demo', clientSecret: 'demo-secret' };
const inPage = /\/page\/|^\0/;

let demo: Awaited<ReturnType<typeof startDemo>>;
let person: string;
let contract: string;
let built: BuiltPage;
let backend: Backend;
let browser: Browser;
let page: Page;
/** What is on the page's console. */
const lines: string[] = [];

beforeAll(async () => {
  // Else Vite would see that tests run, and not build for production.
  vi.stubEnv('NODE_ENV', 'production');
  [demo, built, browser] = await Promise.all([startDemo(), buildPage(), launchChromium()]);
  vi.unstubAllEnvs();
  const auth = clientCredentials({ baseUrl: demo.url, ...login });
  const [somebody] = await createHrClient({ baseUrl: demo.url, auth }).persons.list();
  person = somebody?.id ?? '';
  contract = somebody?.employments?.[0]?.payrollContractId ?? '';
  backend = await startBackend({ url: demo.url, ...login }, built.files);
  page = await browser.newPage();
  page.on('pageerror', (error) => lines.push(String(error)));
  page.on('console', (message) => lines.push(message.text()));
  await page.goto(`${backend.url}?${new URLSearchParams({ person, contract })}`);
});
afterAll(async () => {
  await browser.close();
  await backend[Symbol.asyncDispose]();
  await demo.stop();
});

afterEach(() => {
  const told = lines.splice(0);
  if (told.length > 0) throw new Error(`The page's console has lines that no test expected: ${told.join('; ')}`);
});

/** What the operator has to decide. */
async function submittedPayments(): Promise<{ payrollContractId: string; amount?: number }[]> {
  const operator = { clientId: 'operator', clientSecret: 'operator-secret', scope: 'operator' };
  const { value } = await clientCredentials({ baseUrl: demo.url, ...operator }).getToken();
  const headers = { authorization: `Bearer ${value}` };
  const answer = await fetch(`${demo.url}/operator/v1/variable-payments?state=submitted`, { headers });
  return (await answer.json()) as { payrollContractId: string; amount?: number }[];
}

/** Expects that the page shows something, after a click on a button. */
async function expectShown(button: string, text: RegExp): Promise<void> {
  await page.click(`#${button}`);
  await vi.waitFor(async () => expect(await page.textContent('output')).toMatch(text), { timeout: 120_000 });
}

test('the bundle is the client and what it needs, without Node and without a secret', () => {
  const modules = Object.keys(built.chunk.modules).filter((id) => !inPage.test(id));
  const packages = new Set(modules.map((id) => packageOf(moduleName(id))));
  expect([...packages].toSorted()).toEqual(['@hr/client', '@hr/schemas']);
  expect(built.chunk.imports).toEqual([]);
  // ky loads beside the first request.
  expect(built.chunk.dynamicImports).toEqual([expect.stringMatching(/distribution/)]);
  const text = [...built.files.values()].join('\n');
  // It is asked for only where there is a process that could have it.
  expect(new Set(text.match(/node:\w+/g))).toEqual(new Set(['node:diagnostics_channel', 'node:module']));
  expect(text.includes(login.clientSecret)).toBe(false);
});

test('persons are listed, whole and one by one, with one token', async () => {
  await expectShown('list', /^300 persons$/);
  await expectShown('stream', /^300 persons, one by one$/);
  expect(backend.tokenCount()).toBe(1);
});

test('a person is changed', async () => {
  await expectShown('update', /^paid to DE02120300000000202051$/);
});

test('a payment is submitted, and one without an amount is not sent', async () => {
  await expectShown('submit', /^250 for 2026-01$/);
  await expectShown('submitNothing', /^invalid-request, not-sent$/);
  const bonuses = (await submittedPayments()).filter(
    ({ payrollContractId, amount }) => payrollContractId === contract && amount === 250,
  );
  expect(bonuses).toMatchObject([{ correctionPeriod: '2026-01', state: 'submitted' }]);
});

test('an error is shown by its code', async () => {
  await expectShown('updateNobody', /^not-found, rejected$/);
  // The browser's own line.
  expect(lines.splice(0)).toEqual(['Failed to load resource: the server responded with a status of 404 (Not Found)']);
});

test('a list that the user stops is read no further, also by the backend', async () => {
  const left = backend.holdBack();
  await expectShown('stream', /^\d+ persons, .+ the last$/);
  await expectShown('stop', /^aborted, accepted$/);
  await left;
});
