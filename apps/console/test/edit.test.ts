// oxlint-disable no-await-in-loop -- a page does one thing after the other
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { intercept } from './intercept.ts';
import { expectAccessible, goTo, openPage, settled } from './open-page.ts';
import { consoleOfFile, startTestConsole } from './start-test-console.ts';

const server = await consoleOfFile();
/** Persons at the end of the directory, which no other test changes. */
let ids: readonly string[];

beforeAll(async () => {
  await server.cloud.sync('persons');
  ids = [...server.cloud.mirror.persons()]
    .filter(({ address, bankDetails }) => address?.street && address.city && bankDetails?.iban && bankDetails.bic)
    .map(({ id }) => id)
    .slice(-7);
});

const editor = { roles: ['editor'] as const };

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.getByRole('heading', { name: /^Review the/ }).waitFor();
}

test('a person changes an address by keyboard alone', async () => {
  const [id = ''] = ids;
  await using opened = await openPage(server, { path: `/people/${id}/address`, user: editor });
  const { page, requests } = opened;
  expect(requests.filter((request) => request.includes('/people/'))).toEqual([`GET /bff/people/${id}/address`]);
  const { address } = server.cloud.mirror.person(id)?.person ?? {};
  await page.getByLabel('Street', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Nothing has changed, so there is nothing to save.').waitFor();

  // A character outside the basic plane is one character.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('🌳'.repeat(250));
  await page.getByText('250 of 255 characters').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Lindenallee 🌳');
  for (let field = 0; field < 4; field++) await page.keyboard.press('Tab');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Liechtenstein');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' DE-BE ');
  await page.keyboard.press('Shift+Tab');
  await page.getByText('Spaces were removed.').waitFor();
  await page.getByRole('button', { name: 'Review', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Review the address' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('row', { name: 'City Will be discarded' }).waitFor();
  await page.getByText('Stored fields without a new value: City.').waitFor();
  await page.getByText(/Further addresses of this person/).waitFor();
  // The table scrolls by keyboard.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Address saved').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/people/${id}`);
  await server.cloud.sync('persons');
  const { city, ...kept } = address ?? {};
  expect(city).toBeTruthy();
  expect(server.cloud.mirror.person(id)?.person.address).toEqual({
    ...kept,
    street: 'Lindenallee 🌳',
    country: 'LI',
    stateCode: 'DE-BE',
  });
  expect(server.records.events({ subject: id }).map(({ action }) => action)).toEqual(['update-address']);
  expect(requests.filter((request) => request.startsWith('POST /bff/people'))).toEqual([
    `POST /bff/people/${id}/address`,
  ]);
});

test('two people who edit one person see three versions, and overwrite nothing unseen', async () => {
  const [, id = ''] = ids;
  const path = `/people/${id}/bank-details`;
  await using first = await openPage(server, { path, user: { ...editor, name: 'Anna' } });
  await using second = await openPage(server, { path, user: { ...editor, name: 'Ben' } });
  const [mine, theirs] = [first.page, second.page];
  const bodies: Promise<string>[] = [];
  for (const page of [mine, theirs]) page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  const before = server.cloud.mirror.person(id)?.person.bankDetails?.iban ?? '';

  await mine.getByLabel('Payee').fill('Anna Payee');
  await theirs.getByRole('button', { name: 'Enter another IBAN' }).click();
  const iban = theirs.getByLabel('IBAN', { exact: true });
  await iban.fill('DE02 1203 0000 0000 2020 52');
  await theirs.keyboard.press('Tab');
  expect(await iban.inputValue()).toBe('DE02120300000000202052');
  await theirs.getByText('Spaces were removed.').waitFor();
  await theirs.getByText('The check digits are wrong. Compare the IBAN with its source.').waitFor();
  await theirs.getByLabel('Payee').fill('Ben Payee');
  // The note of the removed spaces moves no button away from the pointer.
  await iban.fill('DE02120300000000202051');
  await iban.fill('DE02 1203 0000 0000 2020 51');
  await review(theirs);
  await theirs.getByRole('button', { name: 'Save' }).click();
  await theirs.getByText('Bank details saved').waitFor();

  // The form that is still open says so, and keeps its input.
  await mine.getByText('The stored data changed while this form was open.').waitFor();
  expect(await mine.getByLabel('Payee').inputValue()).toBe('Anna Payee');
  await review(mine);
  await mine.getByRole('row', { name: 'Payee, if different Changed Ben Payee Anna Payee' }).waitFor();
  await mine.getByRole('button', { name: 'Save' }).click();
  await mine.getByRole('heading', { name: 'Somebody else changed the bank details' }).waitFor();
  await mine.getByRole('row', { name: /^IBAN Changed by somebody else/ }).waitFor();
  await mine.getByRole('button', { name: 'Review again' }).click();
  await mine.getByText(/^Choose a value for: Payee/).waitFor();
  await expectAccessible(mine);
  await mine.getByRole('radio', { name: /Yours: Anna Payee/ }).check();
  await mine.getByRole('button', { name: 'Review again' }).click();
  await mine.getByRole('button', { name: 'Save' }).click();
  await mine.getByText('Bank details saved').waitFor();
  const after = server.cloud.mirror.person(id)?.person.bankDetails;
  expect(after).toMatchObject({ iban: 'DE02120300000000202051', payee: 'Anna Payee' });

  const text = (await Promise.all(bodies)).join('\n');
  expect(text).toContain('•••• 2051');
  for (const secret of [before, 'DE02120300000000202051']) expect(text).not.toContain(secret);
});

test('of people who save at the same time, one does, and the others see the conflict', async () => {
  const id = ids.at(-1) ?? '';
  const path = `/bff/people/${id}/address`;
  const callers = ['Anna', 'Ben', 'Clara'].map((name) => server.signIn({ ...editor, name }));
  for (let round = 0; round < 5; round++) {
    await server.cloud.sync('persons');
    const screen = await server.signIn(editor)(path);
    const { stored } = (await screen.json()) as { stored: { version: string } };
    const saves = callers.map((save, index) =>
      save(path, { version: stored.version, fields: { city: `Ort ${round}.${index}` }, keepsIban: false }),
    );
    const statuses = (await Promise.all(saves)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    await server.cloud.sync('persons');
    const city = `Ort ${round}.${statuses.indexOf(200)}`;
    expect(server.cloud.mirror.person(id)?.person.address).toEqual({ city });
  }
});

test('no response has an IBAN before the audited reveal', async () => {
  const [, , id = ''] = ids;
  const { iban = '', bic } = server.cloud.mirror.person(id)?.person.bankDetails ?? {};
  const send = server.signIn(editor);
  const path = `/bff/people/${id}/bank-details`;
  const { stored } = (await (await send(path)).clone().json()) as { stored: { version: string } };
  const { version } = stored;
  const typed = { version, fields: { iban: 'DE02120300000000202051' }, keepsIban: false };
  const responses = [
    await send(path),
    await send(path, { version, fields: { bic }, keepsIban: true }),
    await send(path, { ...typed, version: 'old' }),
    await send(path, { ...typed, fields: { bic: 'wrong' }, keepsIban: true }),
    await send(path, { version, fields: { bic, payee: 'Somebody' }, keepsIban: true }),
    await send(path, typed),
    await send(`/bff/people/${id}/address`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 409, 400, 200, 409, 200]);
  const texts = await Promise.all(responses.map(async (response) => await response.text()));
  expect(texts[1]).toBe('{"outcome":"unchanged"}');
  expect(JSON.parse(texts[3] ?? '')).toMatchObject({ errors: [{ pointer: '/bankDetails/bic', code: 'too-short' }] });
  expect(texts[4]).toBe('{"outcome":"saved"}');
  expect(texts.join('\n')).not.toContain(iban);
  expect(server.cloud.mirror.person(id)?.person.bankDetails).toEqual({ iban, bic, payee: 'Somebody' });

  const viewer = server.signIn({ name: 'Vera Demo', roles: ['viewer'] });
  for (const screen of [path, `/bff/people/${id}/address`]) {
    expect((await viewer(screen)).status).toBe(403);
    expect((await viewer(screen, typed)).status).toBe(403);
  }
  expect((await viewer(`${path}/reveal`, {})).status).toBe(403);
  const revealed = await send(`${path}/reveal`, {});
  expect(revealed.headers.get('cache-control')).toBe('no-store');
  expect(await revealed.json()).toEqual({ iban });
  expect(server.records.events({ subject: id }).map(({ action }) => action)).toEqual([
    'reveal-bank-details',
    'update-bank-details',
  ]);
  const more = await Promise.all(Array.from({ length: 10 }, async () => (await send(`${path}/reveal`, {})).status));
  expect(more).toContain(429);
  const other = server.signIn(editor);
  expect((await other(`${path}/reveal`, {})).status).toBe(200);
});

test('a failed save keeps the input, and says what is stored', async () => {
  const [, , , id = '', otherId = ''] = ids;
  await using proxy = await startProxy();
  await using own = await startTestConsole({ HR_BASE_URL: proxy.url });
  await own.cloud.sync('persons');
  await using opened = await openPage(own, { path: `/people/${id}/bank-details`, user: editor });
  const { page } = opened;

  proxy.fault = 'break';
  await page.getByLabel('Payee').fill('Unknown Payee');
  await review(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It is not known whether the change was made.').waitFor();
  await page.getByText('Compare what is stored now with your input before you save again.').waitFor();
  await page.getByRole('row', { name: 'Payee, if different New – Unknown Payee' }).waitFor();
  // Also after a reload.
  await page.getByText(/^Draft saved/).waitFor();
  await page.reload();
  await page.getByText('It is not known whether the change was made.').waitFor();
  proxy.fault = undefined;
  await page.getByText('Your input is stored now.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing had changed, so nothing was sent.').waitFor();
  expect(own.records.events({ subject: id }).map(({ action }) => action)).toEqual(['update-bank-details']);

  proxy.fault = 'reject';
  await goTo(page, `/people/${otherId}/address`);
  await page.getByLabel('Postal code').fill('99999');
  await review(page);
  const { promise: isShown, resolve: goOn } = Promise.withResolvers<void>();
  const hold = async (route: Route): Promise<void> => {
    await isShown;
    await route.continue();
  };
  await page.route('**/bff/people/*/address', hold, { times: 1 });
  await page.getByRole('button', { name: 'Save' }).click();
  // The person goes back at once and sees the new address, until the service rejects it.
  await page.waitForURL(`**/people/${otherId}`);
  const newZipCode = page.getByRole('definition').getByText('99999');
  await newZipCode.waitFor();
  goOn();
  await page.getByText('The address was not saved. The stored one is shown again.').waitFor();
  await newZipCode.waitFor({ state: 'detached' });
  const { zipCode: stored } = own.cloud.mirror.person(otherId)?.person.address ?? {};
  await page.getByRole('definition').getByText(String(stored), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  const zipCode = page.getByLabel('Postal code');
  expect(await zipCode.inputValue()).toBe('99999');
  expect(await zipCode.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('The service rejected the change. Nothing was changed.').first().waitFor();
  await expectAccessible(page);
  expect(own.records.events({ subject: otherId })).toEqual([]);

  await zipCode.fill('99998');
  await review(page);
  proxy.fault = 'down';
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The address was not saved. The stored one is shown again.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Review the address' }).waitFor();
  await page.getByText('The service does not answer. Nothing was changed.').first().waitFor();
  proxy.fault = undefined;
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Address saved').waitFor();
  expect(own.cloud.mirror.person(otherId)?.person.address?.zipCode).toBe('99998');
});

test('input survives a session that ended, and whoever leaves the form comes back to it', async () => {
  const [, , , , , id = ''] = ids;
  const path = `/people/${id}/address`;
  const user = { ...editor, name: 'Clara' };
  await using opened = await openPage(server, { path, user, locale: 'de-DE' });
  const { page } = opened;
  await expectAccessible(page);
  await page.getByText('Postfach').click();
  await page.getByRole('textbox', { name: 'Postfach' }).fill('12 34');
  await page.getByRole('button', { name: 'Prüfen' }).click();
  await page.getByRole('heading', { name: 'Anschrift prüfen' }).waitFor();
  await page
    .getByText(/Stra(?:ß|ss)e und Hausnummer|Straße/)
    .first()
    .waitFor();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Zahlungen' }).click();
  await page.getByRole('heading', { level: 1, name: 'Zahlungen' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Anschrift prüfen' }).waitFor();

  await page.context().clearCookies();
  server.live.announce();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(server.link(user));
  await settled(tab);
  await page.getByRole('heading', { name: 'Anschrift prüfen' }).waitFor();
  await page.getByRole('cell', { name: '12 34' }).waitFor();
  await page.getByRole('button', { name: 'Entwurf verwerfen' }).click();
  await page.getByRole('button', { name: 'Endgültig verwerfen?' }).click();
  await page.getByRole('heading', { name: 'Neue Anschrift' }).waitFor();
});

test('a viewer sees no form, and a form that loads or fails is accessible', async () => {
  const [id = ''] = ids;
  const path = `/people/${id}/address`;
  await using opened = await openPage(server, { path, user: { roles: ['viewer'] } });
  await opened.page.getByText('You do not have the role for this.').waitFor();
  expect(await opened.page.locator('form').count()).toBe(0);

  await using other = await openPage(server, { user: editor });
  const { page } = other;
  await intercept(page, '/bff/people/*', () => undefined);
  await goTo(page, path);
  await page.locator('#content [aria-busy=true]').waitFor();
  await expectAccessible(page);
  await intercept(page, '/bff/people/*', (request) => request.fail());
  await goTo(page, `/people/${id}/bank-details`);
  await page.getByText('No connection to the console.').waitFor();
  await expectAccessible(page);
});

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** `break`: the service makes a change, its response is lost, and it is `down` from then on. */
  fault: 'break' | 'reject' | 'down' | undefined;
}

/** Stands in front of the service, and breaks responses. */
async function startProxy(): Promise<Proxy> {
  const listener = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '', headers } = request;
      // The first sync reads those of each person, which no test of changes needs.
      if (url.includes('/absences')) return response.setHeader('content-type', 'application/json').end('[]');
      const isChange = method === 'PATCH';
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (proxy.fault === 'down' && url.startsWith('/api/v1')) return response.writeHead(503).end();
      if (proxy.fault === 'reject' && isChange) {
        const errors = [{ pointer: '/addresses/0/zipCode', code: 'rule' }];
        return response
          .writeHead(400, { 'content-type': 'application/problem+json' })
          .end(JSON.stringify({ status: 400, errors }));
      }
      const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);
      const passed = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
      const answer = await fetch(`${inject('demoUrl')}${url}`, {
        method,
        headers: Object.fromEntries(passed) as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (proxy.fault === 'break' && isChange) {
        proxy.fault = 'down';
        return response.writeHead(500).end();
      }
      const type = answer.headers.get('content-type');
      return response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(body);
    })();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    fault: undefined,
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return proxy;
}
