import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@hr/schemas';
import { launchChromium } from 'tooling-chromium';
import type { Browser } from 'tooling-chromium';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { operatorOperations } from '../src/operator/operator-operations.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;
type Locator = ReturnType<Page['locator']>;

/** A picture of one colour is smaller. */
const LEAST_PICTURE_BYTES = 20_000;

let browser: Browser;
let service: TestService;
let folder: string;

beforeAll(async () => {
  [browser, service, folder] = await Promise.all([
    launchChromium(),
    startService('postgres'),
    mkdtemp(join(tmpdir(), 'hr-docs-page-')),
  ]);
  await load(service.database, [{ kind: 'person', id: '4711', firstName: 'Zoë', lastName: 'Lindqvist' }]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Opens the page. The test fails on whatever the browser complains of and on each request that is not of the service. */
async function open(options: Parameters<Browser['newPage']>[0] = {}, expected: readonly RegExp[] = []): Promise<Page> {
  const page = await browser.newPage(options);
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('crash', () => faults.push('the page crashed'));
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== service.baseUrl && protocol !== 'data:') faults.push(`elsewhere: ${request.url()}`);
  });
  // As text, for the test has no types of a browser.
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('violation', violatedDirective, blockedURI));`);
  onTestFinished(async () => {
    await page.close();
    expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([]);
  });
  await page.goto(`${service.baseUrl}/docs`);
  await page.getByRole('heading', { name: 'HR Cloud API' }).waitFor();
  return page;
}

type Credentials = Pick<ClientCredentials, 'clientId' | 'clientSecret'> & Partial<Pick<ClientCredentials, 'scope'>>;

async function fill(page: Page, { clientId, clientSecret, scope = 'api:use' }: Credentials): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByLabel('Scope').selectOption(scope);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(page: Page, credentials: Credentials): Promise<void> {
  await fill(page, credentials);
  await page.getByText(`Signed in as ${credentials.clientId}`).waitFor();
}

/** Sends a call without parameters, by default "List persons", through the page; the place of what came. */
async function call(page: Page, { summary }: { readonly summary: string } = operations.listPersons): Promise<Locator> {
  await page.getByRole('button', { name: summary }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  const answer = page.locator('.live-responses-table');
  await answer.getByText('Response body').waitFor();
  return answer;
}

test.each(['light', 'dark'] as const)('it shows every operation, in %s colours', async (colorScheme) => {
  const page = await open({ colorScheme });
  expect(await page.title()).toBe('HR Cloud API');
  const names = await page.locator('.opblock-tag > a, .opblock-summary-description').allTextContents();
  expect(names).toEqual(
    expect.arrayContaining([
      ...Object.values(operations).flatMap(({ tag, summary }) => [tag, summary]),
      ...Object.values(operatorOperations).map(({ summary }) => summary),
    ]),
  );
  const brightness = await page.evaluate<number>(
    `Number(getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor.match(/\\d+/)[0])`,
  );
  expect(brightness > 127).toBe(colorScheme === 'light');
  const picture = await page.screenshot({ path: join(folder, `${colorScheme}.png`) });
  expect(picture.length).toBeGreaterThan(LEAST_PICTURE_BYTES);
});

test('one signs in, sends a call, sees its answer and saves it', async () => {
  const page = await open();
  await signIn(page, await service.client());
  const answer = await call(page);
  expect(await answer.locator('.response-col_status').last().textContent()).toBe('200');
  expect(await answer.textContent()).toContain('"lastName": "Lindqvist"');

  const saved = page.waitForEvent('download');
  await answer.getByRole('button', { name: 'Download' }).click();
  expect(JSON.parse(await readFile(await (await saved).path(), 'utf8'))).toMatchObject([{ id: '4711' }]);
});

test('an operator signs in and sees the clients', async () => {
  const page = await open();
  const { clientId, clientSecret, scope } = await service.client('operator');
  await signIn(page, { clientId, clientSecret, scope });
  const answer = await call(page, operatorOperations.operatorListClients);
  expect(await answer.locator('.response-col_status').last().textContent()).toBe('200');
  expect(await answer.textContent()).toContain(clientId);
});

test('secret and token are nowhere but in its memory', async () => {
  const page = await open();
  const credentials = await service.client();
  const granted = page.waitForResponse('**/api/oauth2/token');
  const listed = page.waitForRequest('**/api/v1/persons');
  await signIn(page, credentials);
  await call(page);
  const { access_token: token } = (await (await granted).json()) as { access_token: string };
  expect((await listed).headers()['authorization']).toBe(`Bearer ${token}`);

  expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  const shown = (await page.content()) + page.url();
  expect(shown).toContain('Authorization: Bearer TOKEN');
  expect([credentials.clientSecret, token].filter((secret) => shown.includes(secret))).toHaveLength(0);

  await page.reload();
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
});

test('who has signed out sends no token', async () => {
  const page = await open({}, [/status of 401/]);
  await signIn(page, await service.client());
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  const answer = await call(page);
  expect(await answer.textContent()).toContain('Send an access token');
});

test('a wrong secret is told beside the form', async () => {
  const page = await open({}, [/status of 401/]);
  const { clientId } = await service.client();
  await fill(page, { clientId, clientSecret: 'wrong' });
  const alert = page.getByRole('alert').filter({ hasText: /./ });
  expect(await alert.textContent()).toMatch(/^The client id or its secret is wrong/);
});
