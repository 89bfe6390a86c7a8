import { afterAll, expect, test } from 'vitest';
import { maskBankDetails } from '../src/model/masked-bank-details.ts';
import type { LoggedCall } from '../src/backend/call-log.ts';
import type { ExplorerScreen } from '../src/explorer/explorer-routes.ts';
import { maskedResponse, type TriedCall } from '../src/explorer/run-operation.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();
/** The tests in English go on in it. */
const opened = await openPage(server, {
  path: '/api?operation=listAbsences&to=1999-01-01',
  permissions: ['clipboard-read', 'clipboard-write'],
});
afterAll(() => opened[Symbol.asyncDispose]());

test('operations are described with the sentences of the specification', async () => {
  const bff = server.signIn();
  const readCalls = async () => (await (await bff('/bff/explorer/calls')).json()) as LoggedCall[];
  // The first sync of the console may just have begun.
  await expect.poll(async () => (await readCalls()).length).toBeGreaterThan(0);
  const calls = await readCalls();
  const { operations } = (await (await bff('/bff/explorer')).json()) as ExplorerScreen;
  const byId = new Map(operations.map((operation) => [operation.id as string, operation]));
  expect(byId.size).toBe(17);
  expect(byId.get('listTimeBookings')).toMatchObject({
    method: 'GET',
    section: '4.4',
    timeComponent: '63.11.20',
    isExtension: false,
    parameters: [
      { name: 'from', wireName: 'startDate', type: 'date', required: false, description: 'First day, inclusive.' },
      { name: 'to', wireName: 'endDate' },
      { name: 'changedSince' },
      { name: 'after' },
    ],
  });
  expect(byId.get('listVariablePayments')).toMatchObject({ isExtension: true });
  const patch = byId.get('updatePerson')?.body;
  expect(patch?.fields[0]).toMatchObject({
    name: 'addresses',
    type: 'array of Address',
    description: 'The first one becomes the default address.',
  });
  expect(patch?.fields[0]?.fields).toContainEqual(
    expect.objectContaining({ name: 'street', bounds: ['max 255'], description: 'Excludes the house number.' }),
  );
  const [person, change] = byId.get('listPersons')?.responses ?? [];
  expect(person?.fields).toContainEqual(expect.objectContaining({ name: 'payrollContractIds', deprecated: true }));
  expect(change?.fields).toContainEqual(
    expect.objectContaining({ name: 'firstName', type: 'string or null', bounds: ['max 80'] }),
  );
  expect(Object.keys(calls[0] ?? {}).toSorted()).toEqual([
    'at',
    'durationMs',
    'method',
    'number',
    'operation',
    'path',
    'requestId',
    'status',
  ]);
});

test.for([
  ['DE02120300000000202051', 'DE•• •••• 2051'],
  ['NO9386011117947', 'NO•• •••• 7947'],
  ['DE021203', 'DE•• •••• ••••'],
  ['12345', '•••• •••• ••••'],
  ['0123456789', '•••• •••• ••••'],
])('the bank account %s is shown as %s', ([iban = '', shown]) => {
  expect(maskBankDetails({ iban }).iban).toBe(shown);
});

test('a call that a person tries has no full bank details and no address', async () => {
  const bff = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  const response = await bff('/bff/explorer/call?operation=listPersons');
  const text = await response.text();
  const call = JSON.parse(text) as TriedCall;
  expect(call).toMatchObject({ status: 200 });
  expect(call.response?.count).toBeGreaterThan(20);
  expect(call.response?.elements).toHaveLength(20);
  expect(text).toMatch(/"iban":"DE•• •••• \w{4}"/);
  expect(text).not.toMatch(/\b[A-Z]{2}\d{2}[A-Z\d]{11,}/);
  expect(text).not.toMatch(/"(?:street|zipCode)":"(?!••••")/);
});

test.each([
  [
    'an IBAN anywhere',
    { textValue: 'pay to DE02 1203 0000 0000 2020 51, please' },
    { textValue: 'pay to ••••, please' },
  ],
  ['an IBAN in lower case', ['nl91abna0417164300'], ['••••']],
  ['an address', { address: { zipCode: '1', city: 'Ulm' } }, { address: { zipCode: '••••', city: 'Ulm' } }],
  ['no bank details', { bankDetails: null }, { bankDetails: null }],
  ['a long list', Array.from({ length: 22 }, () => 1), [...Array.from({ length: 20 }, () => 1), '… 2']],
  ['ids and dates', { id: '1000-20001', date: '2026-01-31' }, { id: '1000-20001', date: '2026-01-31' }],
])('%s is masked as far as needed', (_, value, masked) => {
  expect(maskedResponse(value)).toEqual(masked);
});

test('changing operations cannot be run, and failures are reported', async () => {
  const bff = server.signIn();
  expect((await bff('/bff/explorer/call?operation=updatePerson&id=1')).status).toBe(400);
  const missing = await bff('/bff/explorer/call?operation=listAbsences&personId=nobody');
  expect(await missing.json()).toMatchObject({ status: 404, failure: { code: 'not-found' } });
  const invalid = await bff('/bff/explorer/call?operation=listSalaryHistory&contractId=1&from=2026-13');
  expect(await invalid.json()).toMatchObject({ failure: { code: 'invalid-request', errors: [{ pointer: '/from' }] } });
});

test('a call is tried and copied by keyboard', async () => {
  const { page, requests } = opened;
  await page.getByRole('heading', { name: 'List the absences of a person' }).waitFor();
  expect(requests.filter((request) => !request.includes('/bff/session')).slice(-1)).toEqual(['GET /bff/explorer']);
  requests.length = 0;
  await page.getByLabel('personId').focus();
  await page.keyboard.type('100002');
  await page.keyboard.press('Enter');
  await page.getByText('The list is empty.').waitFor();
  expect(requests).toEqual(['GET /bff/explorer/call?operation=listAbsences&personId=100002&to=1999-01-01']);
  expect(new URL(page.url()).search).toBe('?operation=listAbsences&personId=100002&to=1999-01-01');
  await page.getByRole('button', { name: 'Copy as' }).press('Enter');
  await page.getByRole('menuitem', { name: 'TypeScript' }).press('Enter');
  await page.getByText('Copied as TypeScript.').waitFor({ state: 'attached' });
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("await hr.time.absences('100002', { to: '1999-01-01' });");
  await page.getByRole('link', { name: 'updatePerson' }).click();
  await page.getByText('This operation changes data', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Open people' }).waitFor();
});

test('the texts to copy are shown if the browser refuses the clipboard', async () => {
  await using german = await openPage(server, { path: '/api', locale: 'de-DE' });
  const { page } = german;
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Kopieren als' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  const box = page.getByRole('dialog').getByRole('textbox');
  await box.waitFor();
  expect(await box.inputValue()).toContain('$HR_CLIENT_SECRET');
  expect(await box.inputValue()).not.toContain('demo-secret');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
});

test('every state is accessible in both themes and on a phone', async () => {
  const { page } = opened;
  await goTo(page, '/api');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Response' }).waitFor();
  await expectAccessible(page);
  await goTo(page, '/api?operation=listAbsences&personId=nobody');
  await page.getByRole('heading', { name: 'List the absences of a person' }).waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('The call failed: not-found').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Last calls' }).click();
  await page.getByRole('table', { name: 'Last calls' }).waitFor();
  await page.getByText('Failed', { exact: true }).click();
  await page.getByRole('cell', { name: '404' }).first().waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole('tab', { name: 'Operations' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  const { promise: loading, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '/bff/explorer', async (request) => {
    await loading;
    await request.respond({ code: 'service-unavailable', detail: '' }, 503);
  });
  await page.reload();
  await page.locator('[aria-busy=true]').waitFor();
  await expectAccessible(page);
  release();
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/explorer');
  await intercept(page, '/bff/explorer/calls', (request) => request.respond([]));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tab', { name: 'Last calls' }).click();
  await page.getByText('No calls yet').waitFor();
  await expectAccessible(page);
});
