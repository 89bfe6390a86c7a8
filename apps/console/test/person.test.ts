import { expect, test } from 'vitest';
import type { PersonScreen } from '../src/person/person-routes.ts';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

/** A person whose time is recorded. */
const ID = '100006';

test('each tab of a person is one request, and is accessible in both themes', async () => {
  server.records.record({ id: 'local#mara.demo' }, 'reveal-bank-details', ID);
  await using opened = await openPage(server, { path: `/people/${ID}` });
  const { page, requests } = opened;
  const check = async (): Promise<void> => {
    await expectAccessible(page);
  };
  await page.getByRole('heading', { level: 1, name: 'Karl-Heinz Franke' }).waitFor();
  await page.getByText('DE•• •••• 8340').waitFor();
  await page.getByRole('link', { name: 'Matthias Roth' }).first().waitFor();
  await page.getByRole('switch', { name: 'Show source and last update' }).press(' ');
  await page
    .getByText(/^Payroll, seen /)
    .first()
    .waitFor();
  await check();

  requests.length = 0;
  await page.getByRole('tab', { name: 'Profile' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('link', { name: '1000-20006' }).waitFor();
  await check();
  // The contracts are in the request of the profile, which a change by someone else can repeat.
  expect(requests.filter((request) => request.includes('tab='))).toEqual([]);

  for (const [tab, caption] of [
    ['time', /days with time data|No time data/],
    ['absences', /Absences, as the service has them now|No absences/],
    ['history', /Who read or changed data of this person/],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one tab after the other
    requests.length = 0;
    await page.keyboard.press('ArrowRight');
    await page.getByText(caption).first().waitFor();
    expect([...new Set(requests)]).toEqual([`GET /bff/people/${ID}?tab=${tab}`]);
    expect(page.url()).toContain(`tab=${tab}`);
    await check();
    // oxlint-enable no-await-in-loop
  }
  await page.getByRole('row', { name: /Revealed the IBAN Mara Demo this console/ }).waitFor();
  await page
    .getByRole('row', { name: /Imported data from a system/ })
    .first()
    .waitFor();
});

test('an editor reveals an IBAN for a minute, which is recorded', async () => {
  const id = '100012';
  await using opened = await openPage(server, { path: `/people/${id}`, now: 'manual', user: { roles: ['editor'] } });
  const { page } = opened;
  const iban = server.cloud.mirror.person(id)?.person.bankDetails?.iban ?? '';
  const revealed = page.getByText(iban.match(/.{1,4}/g)?.join(' ') ?? '', { exact: true });
  const masked = page.getByText(`DE•• •••• ${iban.slice(-4)}`);
  await masked.waitFor();
  expect(await page.content()).not.toContain(iban.slice(-8, -4));
  expect(server.records.events({ subject: id })).toEqual([]);
  await page.getByRole('button', { name: 'Show IBAN' }).click();
  await revealed.waitFor();
  await page.getByRole('button', { name: 'Hide IBAN' }).waitFor();
  expect(server.records.events({ subject: id })).toMatchObject([{ action: 'reveal-bank-details', user: 'Mara Demo' }]);
  await page.clock.fastForward('01:01');
  await masked.waitFor();
  expect(await revealed.count()).toBe(0);
});

test('contracts that payroll does not know are shown as such', async () => {
  await using opened = await openPage(server, {
    path: `/people/${ID}?tab=contracts`,
    locale: 'de-DE',
    prepare: (page) =>
      intercept(page, `/bff/people/${ID}`, (request) =>
        request.forward((text) => {
          const data = JSON.parse(text) as PersonScreen;
          const payrollContractIds = ['1000-20006', '1000-99999'];
          return JSON.stringify({ ...data, person: { ...data.person, payrollContractIds } });
        }),
      ),
  });
  const { page } = opened;
  await page.getByText('In der Abrechnung unbekannt: 1000-99999').waitFor();
  await page.getByRole('columnheader', { name: 'Befristet bis' }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a deleted person, a failure and a slow response have states of their own', async () => {
  await using opened = await openPage(server, { path: '/people/gone', user: { roles: ['viewer'] } });
  const { page } = opened;
  await page.getByText('There is no person with the ID gone.').waitFor();
  await expectAccessible(page);
  // A change by another test would read the screen anew.
  await intercept(page, '/bff/events', (request) => request.fail());
  await intercept(page, `/bff/people/${ID}`, (request) =>
    request.respond({ code: 'service-unavailable', detail: '' }, 503),
  );
  await goTo(page, `/people/${ID}`);
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  await intercept(page, `/bff/people/${ID}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  await page.getByRole('heading', { level: 1, name: 'Karl-Heinz Franke' }).waitFor();
  // A viewer changes nothing.
  expect(await page.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Show IBAN' }).count()).toBe(0);
  await intercept(page, '/bff/people/slow', () => undefined);
  await goTo(page, '/people/slow');
  await page.locator('[aria-busy=true]').waitFor();
  await expectAccessible(page);
});

test('no response has an IBAN, and the directory has neither a date of birth nor bank details', async () => {
  const send = server.signIn();
  const { bankDetails } = server.cloud.mirror.person(ID)?.person ?? {};
  const text = await (await send(`/bff/people/${ID}?tab=history`)).text();
  expect(bankDetails?.iban).toBeDefined();
  expect(text).not.toContain(bankDetails?.iban);
  const people = await (await send('/bff/people')).text();
  expect(people).not.toContain(bankDetails?.iban?.slice(-8));
  expect(people).not.toMatch(/1972-11-21|MALE/);
  expect((await send(`/bff/people/${ID}?tab=other`)).status).toBe(400);
});
