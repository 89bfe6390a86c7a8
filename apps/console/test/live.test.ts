import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import type { Locator, Page } from 'playwright-core';
import { startDemo } from 'tooling-vitest/demo';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../src/backend/config.ts';
import { startConsole } from '../src/console-server.ts';
import type { LiveEvent } from '../src/backend/live-event.ts';
import { freePort } from './free-port.ts';
import { expectAccessible, openPage, settled } from './open-page.ts';
import { startTestConsole, type TestConsole } from './start-test-console.ts';

const MINUTE_MS = 60_000;

interface Line extends AsyncDisposable {
  readonly url: string;
  readonly open: () => Promise<void>;
  readonly cut: () => Promise<void>;
  /** Holds everything, as a server does that is stopped, until it is called again. */
  readonly freeze: (isFrozen: boolean) => void;
}

/**
 * The service behind an address that can be cut off.
 *
 * @param serviceUrl - Where the service is, when a connection begins.
 */
async function startLine(serviceUrl = (): string => inject('demoUrl')): Promise<Line> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let line = createServer();
  let port = 0;
  async function open(): Promise<void> {
    line = createServer((socket) => {
      const { hostname, port: servicePort } = new URL(serviceUrl());
      const service = connect(Number(servicePort), hostname);
      for (const [one, other] of [
        [socket, service],
        [service, socket],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        if (isFrozen) one.pause();
        one.on('error', () => other.destroy());
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      }
    }).listen(port, '127.0.0.1');
    await once(line, 'listening');
    ({ port } = line.address() as AddressInfo);
  }
  async function cut(): Promise<void> {
    if (!line.listening) return;
    line.close();
    for (const socket of sockets) socket.destroy();
    await once(line, 'close');
  }
  function freeze(frozen: boolean): void {
    isFrozen = frozen;
    for (const socket of sockets) socket[frozen ? 'pause' : 'resume']();
  }
  await open();
  return { url: `http://127.0.0.1:${port}`, open, cut, freeze, [Symbol.asyncDispose]: cut };
}

/** Reads the stream of events as a browser does. */
async function listen(
  server: TestConsole,
): Promise<Disposable & { readonly events: LiveEvent[]; readonly hasEnded: () => boolean }> {
  const call = server.signIn();
  const { body } = await call('/bff/events');
  const events: LiveEvent[] = [];
  const abort = new AbortController();
  let hasEnded = false;
  void (async () => {
    let text = '';
    for await (const part of body?.pipeThrough(new TextDecoderStream(), { signal: abort.signal }) ?? []) {
      text += part;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        if (message.startsWith('data: ')) events.push(JSON.parse(message.slice('data: '.length)) as LiveEvent);
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));
  return { events, hasEnded: () => hasEnded, [Symbol.dispose]: () => abort.abort() };
}

/** Another client changes the address of a person. */
async function changeCity(personId: string, city: string, baseUrl = inject('demoUrl')): Promise<void> {
  const auth = clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' });
  const address = { street: 'Lindenallee', houseNumber: '7', zipCode: '99084', city, country: 'DE' };
  await createHrClient({ baseUrl, auth }).persons.update(personId, { addresses: [address] });
}

test('a change of another client shows within seconds, before and after the service was gone', async () => {
  await using line = await startLine();
  await line.cut();
  // The service is not there yet.
  await using server = await startTestConsole({ HR_BASE_URL: line.url });
  await expect.poll(() => server.live.health).toMatchObject({ state: 'failed', problem: 'service-unavailable' });
  await line.open();
  await expect.poll(() => server.live.health.state).toBe('current');

  // Nobody looks, so nothing is asked.
  await delay(100);
  const calls = server.cloud.calls.list().length;
  await delay(4500);
  expect(server.cloud.calls.list()).toHaveLength(calls);

  const personId = [...server.cloud.mirror.persons()].at(-1)?.id ?? '';
  const cityOf = (): unknown =>
    (server.cloud.mirror.person(personId)?.person.address as { city?: string } | undefined)?.city;
  const events: LiveEvent[] = [];
  const changed = (): boolean => events.some((event) => event.type === 'changed' && event.personIds.includes(personId));
  {
    using stream = await listen(server);
    await changeCity(personId, 'Erfurt');
    await expect
      .poll(() => {
        events.push(...stream.events.splice(0));
        return changed();
      })
      .toBe(true);
    expect(cityOf()).toBe('Erfurt');
    // It says who changed, and nothing else of the person.
    expect(JSON.stringify(events)).not.toMatch(/Erfurt|Lindenallee|firstName/);
    await line.cut();
    await expect.poll(() => server.live.health.state).toBe('failed');
    events.length = 0;
    await changeCity(personId, 'Weimar');
    await line.open();
    await expect
      .poll(() => {
        events.push(...stream.events.splice(0));
        return changed();
      })
      .toBe(true);
    expect(cityOf()).toBe('Weimar');
    expect(server.live.health.state).toBe('current');
  }
});

test('a console says what is wrong when it starts, keeps its files private, and stops while browsers listen', async () => {
  const server = await startTestConsole();
  const { port } = new URL(server.origin());
  const { folder } = server.config;
  await expect(startConsole({ ...server.config, port: 0 })).rejects.toMatchObject({
    name: 'ConfigError',
    message: `Another console uses the folder ${folder}. Stop it, or set HR_CONSOLE_DATA to another folder.`,
  });
  const config = readConfig({ HR_CONSOLE_PORT: port, HR_CONSOLE_DATA: `${folder}/other/deep` }, true);
  await expect(startConsole(config)).rejects.toMatchObject({
    name: 'ConfigError',
    message: `The console cannot listen on 127.0.0.1:${port} (EADDRINUSE). Set HR_CONSOLE_PORT.`,
  });
  expect(await modeOf(dirname(`${config.folder}/console.db`))).toBe('700');
  for (const file of ['console.db', 'console.db-wal', 'history.db', 'mirror.db', 'outbox.db']) {
    // oxlint-disable-next-line no-await-in-loop
    expect([file, await modeOf(`${folder}/${file}`)]).toEqual([file, '600']);
  }
  await writeFile(`${folder}/other/console.db`, 'no database'.repeat(100));
  for (const [setting, value, message] of [
    ['HR_CONSOLE_DATA', `${folder}/console.db`, /console\.db.* cannot be used: E.+ Set HR_CONSOLE_DATA/],
    ['HR_CONSOLE_DATA', `${folder}/other`, /console\.db cannot be used: file is not a database\. .* backup\.$/],
    ['HR_BASE_URL', 'https://mara:geheim@hr.example', /^baseUrl must .*without user, password/],
    ['HR_BASE_URL', 'http://hr.example', /Use https/],
  ] as const) {
    const wrong = readConfig({ HR_CONSOLE_DATA: `${folder}/wrong`, [setting]: value }, true);
    // oxlint-disable-next-line no-await-in-loop
    const error: unknown = await startConsole(wrong).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(message) as string });
    expect(String(error)).not.toContain('geheim');
  }
  using stream = await listen(server);
  await expect.poll(() => stream.events.length).toBeGreaterThan(0);
  await server[Symbol.asyncDispose]();
});

/** The service behind a front, which may hold a request or respond instead of the service. */
async function startFront(respond: (url: string) => Promise<unknown> | number | undefined): Promise<string> {
  const front = createHttpServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const forward = (): void => {
      const forwarded = request(inject('demoUrl') + url, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    };
    const response = respond(url);
    if (typeof response === 'number') outgoing.writeHead(response, { 'content-type': 'application/json' }).end('{}');
    else void Promise.resolve(response).then(forward);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => front.close().closeAllConnections());
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test('persons are read while absences are, and a client that may not read absences hears of the others', async () => {
  const held = Promise.withResolvers<unknown>();
  let isForbidden = false;
  const url = await startFront((path) => (!path.includes('/absences') ? undefined : isForbidden ? 403 : held.promise));
  await using server = await startTestConsole({ HR_BASE_URL: url });
  const rows = (): boolean[] => server.cloud.mirror.status().map((status) => status.rows > 0);
  await expect.poll(rows).toEqual([true, true, false]);
  await expect(server.cloud.sync('persons')).resolves.toMatchObject({ collection: 'persons' });
  expect(server.live.health.currentAt).toBeUndefined();
  held.resolve(undefined);
  await expect.poll(() => server.live.health.state).toBe('current');
  expect(rows()).toEqual([true, true, true]);

  isForbidden = true;
  await using other = await startTestConsole({ HR_BASE_URL: url });
  await expect.poll(() => other.live.health.state).toBe('current');
  expect(other.cloud.mirror.status().map((status) => status.rows > 0)).toEqual([true, true, false]);
  expect(other.cloud.mirror.runs(1)).toMatchObject([{ collection: 'absences', error: 'forbidden' }]);
});

test('when the service knows no longer what changed, all is read', async () => {
  let expired = 0;
  const url = await startFront((path) => {
    if (expired !== 1 || !path.includes('/changes?after=')) return undefined;
    expired++;
    return 410;
  });
  await using server = await startTestConsole({ HR_BASE_URL: url });
  await expect.poll(() => server.live.health.state).toBe('current');
  const syncs = server.cloud.mirror.runs(100).length;
  expired = 1;
  using stream = await listen(server);
  const all = ['persons', 'timeBookings', 'absences', 'salaries', 'payments', 'clients'];
  await expect.poll(() => stream.events).toContainEqual({ type: 'changed', kinds: all, personIds: expect.any(Array) });
  expect(server.cloud.mirror.runs(100).length).toBeGreaterThanOrEqual(syncs + 3);
  await expect.poll(() => server.live.health.state).toBe('current');
});

test('pages hear of what they show, the console asks for nothing meanwhile, and goes on after the service was killed', async () => {
  const demo = await startDemo();
  onTestFinished(async () => void (await demo.stop()));
  let { url } = demo;
  await using line = await startLine(() => url);
  await using server = await startTestConsole({ HR_BASE_URL: line.url });
  await expect.poll(() => server.live.health.state).toBe('current');
  await using payments = await openPage(server, { path: '/payments' });
  await using people = await openPage(server, { path: '/people' });
  const [rereadPayments, rereadPeople] = [payments, people].map(({ page }) => {
    const reread: string[] = [];
    page.on('request', (sent) => {
      if ('x-hr-background' in sent.headers()) reread.push(new URL(sent.url()).pathname);
    });
    return reread;
  }) as [string[], string[]];
  const areQuiet = async (): Promise<boolean> => {
    await delay(500);
    const count = rereadPayments.splice(0).length + rereadPeople.splice(0).length;
    return count === 0;
  };
  // Both listen.
  await expect
    .poll(() => {
      server.live.announce();
      return rereadPayments.includes('/bff/payments') && rereadPeople.includes('/bff/people');
    })
    .toBe(true);
  await expect.poll(areQuiet).toBe(true);

  const [calls, since] = [server.cloud.calls.list().length, new Date().toISOString()];
  await delay(3000);
  expect(server.cloud.calls.list()).toHaveLength(calls);
  expect(await server.cloud.operator.auditEvents({ since })).toEqual([]);

  // Another client submits a payment.
  const operator = clientCredentials({
    baseUrl: url,
    clientId: 'operator',
    clientSecret: 'operator-secret',
    scope: 'operator',
  });
  const created = await fetch(`${url}/operator/v1/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${(await operator.getToken()).value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Time terminal', scope: 'api:use' }),
  });
  const credentials = (await created.json()) as { clientId: string; clientSecret: string };
  const hr = createHrClient({ baseUrl: url, auth: clientCredentials({ baseUrl: url, ...credentials }) });
  const [person] = server.cloud.mirror.persons();
  const { id = '', employments } = person ?? {};
  const contract = employments?.[0]?.payrollContractId ?? '';
  await hr.payroll.submitVariablePayment(contract, {
    billingPeriod: '2026-10',
    compensationComponentId: '4711',
    amount: 4711.42,
  });
  await payments.page.getByText('4,711.42').first().waitFor();
  await expect.poll(areQuiet).toBe(true);

  await changeCity(id, 'Erfurt', url);
  await expect.poll(() => rereadPeople).toContain('/bff/people');
  await delay(500);
  expect(rereadPayments).toEqual([]);

  await expect.poll(areQuiet).toBe(true);
  url = await demo.restart();
  await changeCity(id, 'Weimar', url);
  await expect.poll(() => rereadPeople).toContain('/bff/people');
  expect(server.cloud.mirror.person(id)?.person.address).toMatchObject({ city: 'Weimar' });
  await expect.poll(() => server.live.health.state).toBe('current');
});

test('a screen says since when the service does not answer, until it does', async () => {
  await using line = await startLine();
  await using server = await startTestConsole({ HR_BASE_URL: line.url });
  await expect.poll(() => server.live.health.state).toBe('current');
  await using opened = await openPage(server, { path: '/people' });
  const { page } = opened;
  const warning = page.getByRole('status').filter({ hasText: /No answer from the service since \d/ });
  await line.cut();
  await warning.waitFor();
  await expectAccessible(page);
  await line.open();
  await warning.waitFor({ state: 'detached' });
});

/** What a page says that has no connection to the backend. */
function alarm(tab: Page): Locator {
  return tab.getByRole('status').filter({ hasText: 'No connection since' });
}

test('twelve tabs share a stream, say since when there is no connection, and go on by themselves', async () => {
  const port = await freePort();
  await using line = await startLine(() => `http://127.0.0.1:${port}`);
  const origin = line.url.replace('127.0.0.1', 'localhost');
  await using server = await startTestConsole({ HR_CONSOLE_ORIGIN: origin, HR_CONSOLE_PORT: port });
  await expect.poll(() => server.live.health.state).toBe('current');
  const streams: Page[] = [];
  const rereads = new Set<Page>();
  await using opened = await openPage(server, {
    now: 'manual',
    prepare: async (page) => {
      page.context().on('request', (sent) => {
        const tab = sent.frame().page();
        if (sent.url().endsWith('/bff/events')) streams.push(tab);
        if (sent.url().includes('/bff/today') && 'x-hr-background' in sent.headers()) rereads.add(tab);
      });
    },
  });
  const context = opened.page.context();
  const tabs = [opened.page];
  while (tabs.length < 12) {
    // oxlint-disable no-await-in-loop -- one tab after the other, as a person opens them
    const tab = await context.newPage();
    await tab.goto(origin);
    await settled(tab);
    // oxlint-enable no-await-in-loop
    tabs.push(tab);
  }
  expect(new Set(streams)).toEqual(new Set([opened.page]));
  const expectAllReread = async (): Promise<void> => {
    const isRereadByAll = (): boolean => {
      server.live.announce();
      return tabs.every((tab) => rereads.has(tab));
    };
    rereads.clear();
    await expect.poll(isRereadByAll, { timeout: 60_000 }).toBe(true);
  };
  await expectAllReread();

  // The tab with the stream is closed.
  const [, second, ...others] = tabs;
  tabs.splice(1, tabs.length, ...others, second as Page);
  await (tabs.shift() as Page).goto(`${origin}/icon.svg`);
  await expect.poll(() => new Set(streams).size).toBeGreaterThan(1);
  await expectAllReread();

  line.freeze(true);
  const before = await (tabs[0] as Page).evaluate(() => Date.now());
  await context.clock.runFor(20_000);
  await Promise.all(tabs.map((tab) => alarm(tab).waitFor()));
  const [, since = ''] = /since (\S+)/.exec((await alarm(tabs[0] as Page).textContent()) ?? '') ?? [];
  // The time of the last sign of life, to the second.
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Europe/Berlin' });
  const lastMinute = Array.from({ length: 60 }, (_, age) => time.format(before + (5 - age) * 1000));
  expect(lastMinute).toContain(since.slice(0, 'HH:MM:SS'.length));
  await expectAccessible(tabs[0] as Page);

  line.freeze(false);
  await context.clock.runFor(40_000);
  await Promise.all(tabs.map((tab) => alarm(tab).waitFor({ state: 'detached' })));
  await expectAllReread();
  // All are still signed in.
  await Promise.all(tabs.map((tab) => tab.getByRole('heading', { level: 1, name: 'Today' }).waitFor()));
});

test('a page that gets no lock any more stays usable', async () => {
  await using server = await startTestConsole();
  await using opened = await openPage(server);
  const { page } = opened;
  // As in a document that ends, in WebKit.
  const refused = await page.evaluate(async () => {
    const { locks } = navigator;
    const name = 'hr-console-events';
    // oxlint-disable-next-line no-await-in-loop
    while ((await locks.query()).held?.every((lock) => lock.name !== name)) await new Promise(requestAnimationFrame);
    const isAsked = new Promise((resolve) => {
      locks.request = () => {
        resolve(name);
        return Promise.reject(new DOMException('', 'AbortError'));
      };
    });
    await LockManager.prototype.request.call(locks, name, { steal: true }, () => undefined);
    return await isAsked;
  });
  expect(refused).toBe('hr-console-events');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
});

test('records that cannot be read end the streams, and not the console', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startTestConsole();
  using stream = await listen(server);
  await expect.poll(() => stream.events.length).toBeGreaterThan(0);
  const read = vi.spyOn(server.records, 'session').mockImplementation(() => {
    throw new Error('database is locked');
  });
  vi.advanceTimersByTime(MINUTE_MS);
  await expect.poll(() => stream.hasEnded()).toBe(true);
  read.mockRestore();
  using next = await listen(server);
  await expect.poll(() => next.events.length).toBeGreaterThan(0);
});

test('a console that has stopped opens its files no more', async () => {
  const server = await startTestConsole();
  await server[Symbol.asyncDispose]();
  await expect(server.cloud.sync('persons')).rejects.toThrow('This operation was aborted');
});

test('wrong credentials are reported as a state, and a wrong setting by its name', async () => {
  await using server = await startTestConsole({ HR_OPERATOR_CLIENT_SECRET: 'wrong' });
  await expect.poll(() => server.live.health).toMatchObject({ state: 'failed', problem: 'service-unavailable' });
  for (const [name, value] of [
    ['HR_CONSOLE_PORT', 'abc'],
    ['HR_CONSOLE_PORT', '70000'],
    ['HR_BASE_URL', 'hr.example'],
    ['HR_CONSOLE_ORIGIN', 'https://console.example/path'],
    ['HR_CLIENT_SECRET_FILE', '/nowhere/secret'],
    ['HR_CONSOLE_OIDC_ISSUER', 'http://login.example.com'],
    ['HR_CONSOLE_OIDC_ISSUER', 'http://localhost.example.com'],
    ['HR_CONSOLE_ROLES', '{"hr": "boss,everyone"}'],
    ['HR_CONSOLE_ROLES', 'hr'],
  ] as const) {
    expect(() => readConfig({ [name]: value }, true)).toThrow(new RegExp(`^${name} (must|names) .+[^.]\\.$`));
  }
  expect(() => readConfig({})).toThrow('HR_CLIENT_ID is missing. Set it to the id of a client.');
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
