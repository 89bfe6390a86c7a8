import type { Route } from 'playwright-core';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import type { SyncCounts, SyncJob } from '../src/system/sync-jobs.ts';
import type { SyncSection } from '../src/system/system-routes.ts';
import { intercept } from './intercept.ts';
import { announceUntil, expectAccessible, goTo, openPage } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

beforeAll(async () => {
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
});

/** Sends a request to the service. */
async function send(path: string, body: object, scope: 'operator' | 'api:use' = 'operator'): Promise<unknown> {
  const baseUrl = inject('demoUrl');
  const clientId = scope === 'operator' ? 'operator' : 'demo';
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: `${clientId}-secret` };
  const form = new URLSearchParams({ ...credentials, scope });
  const token = await fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: form });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return await response.json();
}

/** Creates a client that nobody else uses. */
async function createClient(name: string): Promise<string> {
  const created = await send('/operator/v1/clients', { name, scope: 'api:use' });
  return (created as { clientId: string }).clientId;
}

/** Registers a webhook endpoint of the client of the console. No host has a name that ends so. */
async function registerEndpoint(host: string): Promise<string> {
  const { id } = (await send('/api/v1/webhook-endpoints', { url: `https://${host}.invalid/hook` }, 'api:use')) as {
    id: string;
  };
  await send(`/api/v1/webhook-endpoints/${id}/test`, {}, 'api:use');
  return id;
}

const ofWebhooks = [
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'listWebhookDeliveries',
  'testWebhookEndpoint',
  'rotateWebhookSecret',
  'deleteWebhookEndpoint',
];

test('the section Sync reads changes, finds drift, and reads everything again after a question', async () => {
  await using opened = await openPage(server, { path: '/system' });
  const { page, requests } = opened;
  expect(requests.filter((request) => request.includes('/system'))).toEqual(['GET /bff/system/sync']);
  const persons = page.getByRole('region', { name: 'Persons' });
  const act = async (name: string): Promise<string> => {
    const started = page.waitForResponse((response) => response.request().method() === 'POST');
    await persons.getByRole('button', { name }).click();
    await started;
    await persons.getByRole('button', { name, disabled: false }).waitFor();
    return await persons.locator('[aria-live=polite]').innerText();
  };
  // Another test file may have changed a person, which the next attempt does not find again.
  await expect.poll(async () => await act('Read changes now')).toContain('No changes');

  const { collections, runs } = (await (await server.signIn()('/bff/system/sync')).json()) as SyncSection;
  const show = async (job: SyncJob): Promise<void> => {
    await intercept(page, '/bff/system/sync', (request) =>
      request.respond({ collections, runs, jobs: { persons: job } }),
    );
    await page.reload();
  };
  await show({ action: 'drift', done: 120, total: undefined });
  await persons.getByText('120 of about 300').waitFor();
  await persons.getByRole('progressbar', { name: 'Comparing with the service.' }).waitFor();
  expect(await persons.getByRole('button', { name: 'Read changes now' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  const endedAt = new Date().toISOString();
  await show({ action: 'full', done: 7, total: undefined, endedAt, error: 'list-too-short' });
  await persons.getByRole('alert', { name: 'Nothing was read again' }).getByText('More than 10 %').waitFor();
  const counts = { added: 1, changed: 1, unchanged: 5, deleted: 0, erased: 0 };
  const differences = [
    { collection: 'persons', kind: 'changed', id: '100001', fields: ['address', 'jobTitle'] },
    { collection: 'persons', kind: 'added', id: '999999', fields: ['id'] },
  ] as unknown as SyncCounts['differences'];
  await show({ action: 'drift', done: 7, total: undefined, endedAt, result: { ...counts, differences } });
  await persons.getByText('2 rows differ from those of the service').waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/system/sync');
  await page.reload();
  await expect
    .poll(async () => {
      await act('Read changes now');
      return await act('Check drift');
    })
    .toContain('No drift');

  await persons.getByRole('button', { name: 'Read everything again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Even if more than 10 %').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Read everything again' }).click();
  await expect
    .poll(() => server.cloud.mirror.runs(5).some(({ full, collection }) => full && collection === 'persons'))
    .toBe(true);
  await expect.poll(() => server.records.events({ subject: 'persons' })).toMatchObject([{ action: 'sync' }]);

  await using other = await openPage(server, { path: '/system', user: { name: 'Vera Demo', roles: ['viewer'] } });
  await other.page.getByRole('heading', { name: 'Time bookings' }).waitFor();
  expect(await other.page.getByRole('button', { name: /Read changes now|Check drift/ }).count()).toBe(0);
  const viewer = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  expect((await viewer('/bff/system/sync', { collection: 'persons', action: 'changes' })).status).toBe(403);
});

test('an operator reviews what a client loses and gains before it is saved, and never overwrites another change', async () => {
  const clientId = await createClient('Time terminal');
  await using opened = await openPage(server, { path: '/system?tab=clients' });
  const { page, requests } = opened;
  expect(requests.filter((request) => request.includes('/system'))).toEqual(['GET /bff/system/clients']);
  await page.getByRole('button', { name: 'Change what Time terminal may use and see' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const operations = dialog.getByRole('radiogroup', { name: 'Operations' });
  await operations.getByLabel('Only these').check();
  for (const name of [
    'Change a person',
    'Submit a variable payment',
    'List approved variable payments',
    'List decisions on variable payments',
    'Read all salaries',
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    await dialog.getByLabel(name).uncheck();
  }
  await dialog.getByRole('radiogroup', { name: 'Systems' }).getByLabel('Only these').check();
  await dialog.getByLabel('Payroll', { exact: true }).uncheck();
  await dialog.getByText('“Read a salary history” needs the system Payroll.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByLabel('Read a salary history').uncheck();
  await dialog.getByLabel('Custom fields', { exact: true }).fill('Parkausweis');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Review' }).click();
  await dialog.getByRole('region', { name: 'Will lose' }).getByText('Read a salary history').waitFor();
  await dialog.getByRole('region', { name: 'Will gain' }).getByText('Parkausweis').waitFor();
  await expectAccessible(page);

  // Meanwhile somebody else changes the client.
  await server.cloud.operator.grant(clientId, { fields: ['firstName', 'lastName'] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody else changed this meanwhile.').waitFor();
  await server.cloud.operator.grant(clientId, { fields: null });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const client = (await server.cloud.operator.clients()).find((each) => each.clientId === clientId);
  expect(client).toMatchObject({
    operations: ['listPersons', 'listTimeBookings', 'listAbsences', 'listAllAbsences', 'getChanges', ...ofWebhooks],
    systems: ['master', 'time'],
  });
  expect((await server.cloud.operator.customFields()).get(clientId)).toEqual(['Parkausweis']);
  expect(server.records.events({ subject: clientId })).toMatchObject([{ action: 'grant-client', user: 'Mara Demo' }]);

  // What the service rejects is shown in its words.
  const call = server.signIn();
  const before = {
    operations: client?.operations,
    systems: client?.systems,
    fields: null,
    customFields: ['Parkausweis'],
  };
  const after = { ...before, operations: ['listSalaryHistory'] };
  const rejected = await call('/bff/system/grants', { clientId, before, after });
  expect(await rejected.json()).toMatchObject({
    code: 'rejected',
    errors: [{ detail: expect.stringContaining('needs the system payroll') as string }],
  });
});

test('an operator sees how a client signs in, and registers its public key, but no private one', async () => {
  const clientId = await createClient('Robot');
  await using opened = await openPage(server, { path: '/system?tab=clients' });
  const { page, requests } = opened;
  const panel = page.getByRole('region', { name: 'Robot' });
  await panel.getByText('Secret since').waitFor();
  await panel.getByRole('button', { name: 'Register key of Robot' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const input = dialog.getByLabel('Public key or address');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'robot-1' };
  const save = dialog.getByRole('button', { name: 'Save' });
  await input.fill(JSON.stringify({ ...jwk, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' }));
  await dialog.getByText('This is a private key.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectAccessible(page);
  await input.fill('something');
  await dialog.getByText('This is neither').waitFor();
  await input.fill(JSON.stringify(jwk));
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByText('Key robot-1 (EdDSA) since').waitFor();
  expect(requests.filter((request) => request.includes('client-keys'))).toEqual(['POST /bff/system/client-keys']);
  expect(server.records.events({ subject: clientId })).toMatchObject([
    { action: 'set-client-keys', user: 'Mara Demo' },
  ]);

  await panel.getByRole('button', { name: 'Register key of Robot' }).click();
  await dialog.getByText('end immediately').waitFor();
  await input.fill('https://10.0.0.1/jwks');
  await save.click();
  await dialog.getByText('must not be a private address').waitFor();
  await input.fill('https://keys.example.com/jwks');
  await save.click();
  await panel.getByText('Keys from https://keys.example.com/jwks').waitFor();
  expect(await panel.getByText('robot-1').count()).toBe(0);
  await expectAccessible(page);

  const viewer = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  expect((await viewer('/bff/system/client-keys', { clientId, jwks: { keys: [jwk] } })).status).toBe(403);
  const user = { name: 'Olga Demo', grants: [['operator', 'everyone']] };
  await using blind = await openPage(server, { path: '/system?tab=clients', user });
  await blind.page.getByRole('button', { name: 'Change what Robot may use and see' }).waitFor();
  expect(await blind.page.getByRole('button', { name: 'Register key of Robot' }).count()).toBe(0);
  await blind.page.getByRole('region', { name: 'Robot' }).getByText('You may not see pay.').waitFor();
});

/** The service accepts no control character in a name, which the console sends in a call of its own. */
async function breakName(route: Route): Promise<void> {
  const body = route.request().postData() ?? '';
  await route.continue({ postData: body.replace('"Spind"', String.raw`"Spind\u0000"`) });
}

test('a change of which the service makes only a part is shown as such, and can be completed', async () => {
  const clientId = await createClient('Half');
  await using opened = await openPage(server, { path: '/system?tab=clients' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Change what Half may use and see' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radiogroup', { name: 'Operations' }).getByLabel('Only these').check();
  await dialog.getByLabel('Change a person').uncheck();
  await dialog.getByLabel('Custom fields', { exact: true }).fill('Spind');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Review' }).press('Enter');
  await dialog.getByRole('group', { name: 'Review' }).and(page.locator(':focus')).waitFor();
  await page.route('**/bff/system/grants', breakName, { times: 1 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Only a part of the change was saved').waitFor();
  await dialog.getByRole('region', { name: 'Will lose' }).getByText('Nothing').waitFor();
  await dialog.getByRole('region', { name: 'Will gain' }).getByText('Spind').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await server.cloud.operator.customFields()).get(clientId)).toEqual(['Spind']);
});

test('the audit is filtered by the address, in German', async () => {
  const [person] = server.cloud.mirror.persons({ limit: 1 });
  const id = person?.id ?? '';
  await server.cloud.hr.time.absences(id, {});
  server.records.record({ id: 'local#mara.demo' }, 'reveal-bank-details', id);
  await expect
    .poll(async () => (await server.cloud.operator.auditEvents({ personId: id, access: 'read' })).length)
    .toBeGreaterThan(0);
  const path = `/system?tab=audit&person=${id}`;
  await using opened = await openPage(server, { path, locale: 'de-DE' });
  const { page, requests } = opened;
  expect(requests.filter((request) => request.includes('/system'))).toEqual([`GET /bff/system/audit?person=${id}`]);
  const events = page.getByRole('region', { name: 'Zugriffsprotokoll des Dienstes' });
  await events.getByText('Abwesenheiten einer Person auflisten').first().waitFor();
  await page.getByText('Bankverbindung angezeigt').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Zugriff', { exact: true }).selectOption('Abgelehnte Anfragen');
  await page.getByText('Keine passenden Einträge').waitFor();
  expect(page.url()).toContain('access=refused');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
  await events.getByText('Zugriffstoken abrufen').first().waitFor();
  await goTo(page, path);
  expect(await events.getByRole('link').first().getAttribute('href')).toBe(`/people/${id}`);
});

test('an operator pauses, resumes and removes a webhook endpoint by keyboard, and a viewer sees it', async () => {
  const id = await registerEndpoint('payroll');
  await using opened = await openPage(server, { path: '/system?tab=webhooks' });
  const { page, requests } = opened;
  expect(requests.filter((request) => request.includes('/system'))).toEqual(['GET /bff/system/webhooks']);
  const row = page.getByRole('row').filter({ hasText: 'https://payroll.invalid' });
  // Other tests may make changes, of which it then fails to hear.
  expect(await row.innerText()).toMatch(/demo[^]+(?:Active|Failing)[^]+No response \(unknown-host\)/);
  const endpoint = async (): Promise<unknown> =>
    (await server.cloud.operator.webhookEndpoints()).find((each) => each.id === id);
  await row.getByRole('button', { name: 'Pause: https://payroll.invalid' }).press('Enter');
  await row.getByText('Paused').waitFor();
  expect(await endpoint()).toMatchObject({ pausedAt: expect.any(String) });
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Resume' }).press('Enter');
  await row.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await endpoint()).not.toHaveProperty('pausedAt');

  await row.getByRole('button', { name: 'Remove' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove the endpoint at https://payroll.invalid' });
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(
    await row.getByRole('button', { name: 'Remove' }).evaluate((button) => button === document.activeElement),
  ).toBe(true);
  {
    await using viewer = await openPage(server, {
      path: '/system?tab=webhooks',
      user: { name: 'Vera Demo', roles: ['viewer'] },
    });
    await viewer.page.getByText('https://payroll.invalid').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    const bff = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
    expect((await bff('/bff/system/webhooks', { id, change: 'remove' })).status).toBe(403);
  }

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
  await row.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  expect(await endpoint()).toBeUndefined();
  const events = server.records.events({ subject: id });
  expect(events.map(({ action }) => action)).toEqual(Array.from({ length: 3 }, () => 'change-webhook'));

  // Somebody else removed it.
  const gone = await registerEndpoint('time');
  const path = `/operator/v1/webhook-endpoints/${gone}/remove`;
  const other = page.getByRole('row').filter({ hasText: 'https://time.invalid' });
  await announceUntil(server, other);
  await send(path, {});
  await other.getByRole('button', { name: 'Pause' }).click();
  await other.waitFor({ state: 'detached' });
});

test('each section is accessible while it loads, when it failed, when it is empty, and on a narrow page', async () => {
  await using opened = await openPage(server, { viewport: { width: 360, height: 740 } });
  const { page } = opened;
  await registerEndpoint('audit');
  const empty = {
    sync: { collections: [], runs: [], jobs: {} },
    clients: { clients: [], operations: [], systems: [], fields: [], customFields: [] },
    webhooks: [],
    audit: { events: [], own: [], actors: [], isCut: false },
  };
  const check = async (): Promise<void> => {
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  };
  // oxlint-disable no-await-in-loop -- one state after the other
  for (const [tab, body] of Object.entries(empty)) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await intercept(page, '/bff/system/*', async (request) => {
      await held;
      await request.respond({ code: 'service-unavailable', detail: '', requestId: 'r-1' }, 503);
    });
    await goTo(page, `/system?tab=${tab}`);
    await page.locator('#content [aria-busy=true]').waitFor();
    await check();
    release();
    await page.getByText('The service does not answer.').waitFor();
    await check();
    await intercept(page, '/bff/system/*', (request) => request.respond(body));
    // An event of the stream may make the page try again by itself, and take the button away.
    await page.getByRole('button', { name: 'Try again' }).evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
    await page
      .getByText(/No run yet|No clients|No webhook endpoints|No such events/)
      .first()
      .waitFor();
    await check();
    await intercept(page, '/bff/system/*');
    await announceUntil(server, page.locator('#content :is(dd, tbody tr)').first());
    await check();
  }
  // oxlint-enable no-await-in-loop
});
