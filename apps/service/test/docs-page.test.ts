import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { operations } from '@hr/schemas';
import type axe from 'axe-core';
import { launchChromium, type Browser } from 'tooling-chromium';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { operatorOperations } from '../src/routes.ts';
import { load, startService, type TestService } from './service.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;
type Locator = ReturnType<Page['locator']>;

let browser: Browser;
let service: TestService;
/** One for all tests, because loading it takes longer than everything else that they do. */
let page: Page;
/** Whatever the browser complains of, and each request that is not of the service. */
const faults: string[] = [];

beforeAll(async () => {
  [browser, service] = await Promise.all([launchChromium(), startService('postgres')]);
  await load(service.database, [{ kind: 'person', id: '4711', firstName: 'Zoë', lastName: 'Lindqvist' }]);
  page = await browser.newPage({ colorScheme: 'dark' });
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
  await page.goto(`${service.baseUrl}/docs`);
  await page.getByRole('heading', { name: 'HR Cloud API' }).waitFor();
});
afterEach(() => {
  const found = faults.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** The browser complains of a response with 401. */
async function expectRefusal(): Promise<void> {
  await expect.poll(() => faults).toEqual([expect.stringContaining('status of 401')]);
  faults.length = 0;
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no violation of WCAG 2.2 AA, as far as a program can tell. */
async function expectAccessible(): Promise<void> {
  await page.evaluate(axeSource);
  const options = {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
    // It would load the style sheets once more, inline, which the policy forbids.
    preload: false,
  } satisfies axe.RunOptions;
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)).toEqual([]);
}

type Credentials = Pick<ClientCredentials, 'clientId' | 'clientSecret'> & Partial<Pick<ClientCredentials, 'scope'>>;

async function fill({ clientId, clientSecret, scope = 'api:use' }: Credentials): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByLabel('Scope').selectOption(scope);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(credentials: Credentials): Promise<void> {
  await fill(credentials);
  await page.getByText(`Signed in as ${credentials.clientId}`).waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
}

/** Sends a call without parameters through the page; the place of what came. */
async function call({ summary }: { readonly summary: string }): Promise<Locator> {
  const button = page.getByRole('button', { name: summary });
  await button.click();
  const operation = page.locator('.opblock').filter({ has: button });
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.getByText('Response body').waitFor();
  return answer;
}

test('it shows every operation', async () => {
  expect(await page.title()).toBe('HR Cloud API');
  const names = await page.locator('.opblock-tag > span, .opblock-summary-description').allTextContents();
  expect(names).toEqual(
    expect.arrayContaining([
      ...Object.values(operations).flatMap(({ tag, summary }) => [tag, summary]),
      ...Object.values(operatorOperations).map(({ summary }) => summary),
    ]),
  );
});

test('the form says that a secret is wrong', async () => {
  const { clientId } = await service.client();
  await fill({ clientId, clientSecret: 'wrong' });
  const alert = page.getByRole('alert').filter({ hasText: /./ });
  expect(await alert.textContent()).toMatch(/^The client id or its secret is wrong/);
  await expectRefusal();
});

describe('one who has signed in and sent a call', () => {
  let credentials: ClientCredentials;
  let token: string;
  let sent: string | undefined;
  let answer: Locator;
  beforeAll(async () => {
    credentials = await service.client();
    const granted = page.waitForResponse('**/api/oauth2/token');
    const listed = page.waitForRequest('**/api/v1/persons');
    await signIn(credentials);
    answer = await call(operations.listPersons);
    token = ((await (await granted).json()) as { access_token: string }).access_token;
    sent = (await listed).headers()['authorization'];
  });

  test('sees its answer and saves it', async () => {
    expect(await answer.locator('.response-col_status').last().textContent()).toBe('200');
    expect(await answer.textContent()).toContain('"lastName": "Lindqvist"');

    const saved = page.waitForEvent('download');
    await answer.getByRole('button', { name: 'Download' }).click();
    expect(JSON.parse(await readFile(await (await saved).path(), 'utf8'))).toMatchObject([{ id: '4711' }]);
  });

  test('finds secret and token nowhere: they are in the memory of the page only', async () => {
    expect(sent).toBe(`Bearer ${token}`);
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    // All else that outlives a page that is loaded again.
    const kept = await page.evaluate<string>('JSON.stringify([history.state, globalThis.name])');
    const shown = (await page.content()) + page.url() + kept;
    expect(shown).toContain('Authorization: Bearer TOKEN');
    expect([credentials.clientSecret, token].filter((secret) => shown.includes(secret))).toHaveLength(0);
  });

  test.each([
    ['dark', 360],
    ['light', 1280],
  ] as const)('can read it in %s colours, %d pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const brightness = await page.evaluate<number>(
      `Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])`,
    );
    expect(brightness > 127).toBe(colorScheme === 'light');
    await page.getByRole('button', { name: 'Schemas' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await expectAccessible();
  });

  test('sends no token after having signed out', async () => {
    await signOut();
    await page.getByRole('button', { name: 'Execute' }).click();
    await answer.getByText('Send an access token').waitFor();
    await expectRefusal();
  });
});

test('an operator signs in and sees the clients', async () => {
  const { clientId, clientSecret, scope } = await service.client('operator');
  await signIn({ clientId, clientSecret, scope });
  const answer = await call(operatorOperations.operatorListClients);
  expect(await answer.locator('.response-col_status').last().textContent()).toBe('200');
  expect(await answer.textContent()).toContain(clientId);
});
