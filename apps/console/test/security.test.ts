import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../src/backend/log.ts';
import type { Problem } from '../src/backend/problem.ts';
import { Records } from '../src/backend/records.ts';
import { roles } from '../src/model/grants.ts';
import { addSessions, sessionCookie } from '../src/backend/sessions.ts';
import { freePort } from './free-port.ts';
import { routesOf } from './routes-of.ts';
import { cookieOf, sendRaw } from './send-raw.ts';
import { signInCode, startTestConsole, type TestConsole } from './start-test-console.ts';

let server: TestConsole;
const logged: string[] = [];

beforeAll(async () => {
  server = await startTestConsole({}, createLog('info', { write: (line) => void logged.push(line) }));
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
});
afterAll(() => server[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const changes = ['POST', 'PUT', 'PATCH', 'DELETE'];

describe('people', () => {
  test('a link is valid once, for fifteen minutes, and cannot be guessed', () => {
    let now = Date.now();
    using records = new Records(`${server.config.folder}/links.db`, () => now);
    const [used, expired] = [signInCode(records), signInCode(records)];
    expect(used).toMatch(/^[\w-]{43}$/);
    expect(records.signIn(used)?.user).toMatchObject({ id: 'local#mara.demo', name: 'Mara Demo' });
    expect(records.signIn(used)).toBeUndefined();
    expect(records.signIn(`${expired.slice(0, -1)}_`)).toBeUndefined();
    now += 15 * MINUTE_MS + 1;
    expect(records.signIn(expired)).toBeUndefined();
    expect(records.signInLink('', 'local#unknown')).toBeUndefined();
  });

  test('a person who is disabled has no session, no link, and gets none', () => {
    using records = new Records(`${server.config.folder}/ended.db`);
    const token = records.signIn(signInCode(records))?.token ?? '';
    const other = records.signIn(signInCode(records, { name: 'Tom' }))?.token ?? '';
    const unused = signInCode(records);
    expect(records.setDisabled('local#mara.demo', true)).toBe(true);
    expect(records.session(token, true)).toBeUndefined();
    expect(records.signIn(unused)).toBeUndefined();
    expect(records.signInLink('', 'local#mara.demo')).toBeUndefined();
    expect(records.session(other, true)).toMatchObject({ id: 'local#tom' });
    expect(records.events()[0]).toMatchObject({ user: 'Mara Demo', action: 'sign-out' });
    expect(records.people()).toMatchObject([{ id: 'local#mara.demo', isDisabled: true }, { isDisabled: false }]);
    expect(records.setDisabled('local#unknown', true)).toBe(false);
  });

  test('what a person may do changes at once, and people of the same name are told apart', () => {
    using records = new Records(`${server.config.folder}/people.db`);
    const token = records.signIn(signInCode(records))?.token ?? '';
    expect(records.nameOf('local#mara.demo')).toBe('Mara Demo');
    const changed = { id: 'local#mara.demo', name: 'Kim Roth', login: 'mara.demo', employeeNumber: undefined };
    records.savePerson({ ...changed, grants: [['viewer', 'reports']] });
    records.savePerson({ ...changed, id: 'local#kim', login: 'kim', grants: [] });
    expect(records.session(token, true)).toMatchObject({ name: 'Kim Roth', grants: [['viewer', 'reports']] });
    expect(['local#mara.demo', 'local#kim'].map((id) => records.nameOf(id))).toEqual([
      'Kim Roth (mara.demo)',
      'Kim Roth (kim)',
    ]);
  });

  test('a session ends after eight hours without a request of the person, and after thirty days', () => {
    let now = Date.now();
    using records = new Records(`${server.config.folder}/sessions.db`, () => now);
    const start = (): string => records.signIn(signInCode(records))?.token ?? '';
    const idle = start();
    now += 7 * HOUR_MS;
    // A request in the background.
    expect(records.session(idle, false)).toBeDefined();
    now += 2 * HOUR_MS;
    expect(records.session(idle, true)).toBeUndefined();
    const busy = start();
    for (let passed = 0; passed <= 30 * 24; passed += 6) {
      expect(records.session(busy, true)).toBeDefined();
      now += 6 * HOUR_MS;
    }
    expect(records.session(busy, true)).toBeUndefined();
  });

  test('a folder of a version that knew no people is refused', () => {
    const file = `${server.config.folder}/old.db`;
    using old = new DatabaseSync(file);
    old.exec('create table session (hash text primary key, name text, roles text, created integer, seen integer)');
    expect(() => new Records(file)).toThrow('Set HR_CONSOLE_DATA to a new folder');
  });
});

describe('sessions', () => {
  test('the cookie is for this host alone, and no script reads it', async () => {
    const body = JSON.stringify({ code: server.link().split('#')[1] });
    const { headers, body: text } = await sendRaw(server, '/bff/session', { method: 'POST', body });
    const cookie = headers['set-cookie']?.at(-1) ?? '';
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^hr-console=[\w-]{43}$/);
    // WebKit keeps no secure cookie of a page without TLS.
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict']);
    for (const origin of ['https://console.example.com', 'http://console.example.com', 'https://localhost']) {
      expect(sessionCookie({ origin })).toMatchObject({ name: '__Host-hr-console', options: { secure: true } });
    }
    expect(text).not.toContain(pair.split('=')[1]);
  });

  test('every route but the sign-in needs a session, however its path is written', async () => {
    const routes = await routesOf(server);
    expect(routes.length).toBeGreaterThan(15);
    const open = routes.filter(({ role }) => role === 'anybody').map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual(['POST /bff/session']);
    for (const { method, path, role } of routes) {
      if (role === 'anybody') continue;
      const paths = [path, path.replace('/bff', '/%62ff'), path.replace('/bff', '/b%66f'), `${server.origin()}${path}`];
      for (const each of paths) {
        for (const cookie of [undefined, `${sessionCookie(server.config).name}=guessed`]) {
          // oxlint-disable-next-line no-await-in-loop
          const { status } = await sendRaw(server, each, { method, headers: { cookie } });
          expect({ method, each, status }).toEqual({ method, each, status: 401 });
        }
      }
    }
  });

  test('every route that changes something needs a role that the person has', async () => {
    const routes = await routesOf(server);
    const cookies = new Map<string, string>();
    for (const role of roles) {
      cookies.set(role, cookieOf(server, { name: `No ${role}`, roles: roles.filter((each) => each !== role) }));
    }
    expect(routes.filter(({ method, role }) => method !== 'GET' && role === undefined)).toEqual([]);
    for (const { method, path, role } of routes) {
      if (role === undefined || role === 'anybody' || role === 'viewer') continue;
      // Somebody who has all other roles.
      // oxlint-disable-next-line no-await-in-loop
      const { status, body } = await sendRaw(server, path, { method, headers: { cookie: cookies.get(role) } });
      expect({ method, path, status }).toEqual({ method, path, status: 403 });
      expect(body).toContain(role);
    }
    const app = fastify();
    addSessions(app, server);
    expect(() => app.post('/bff/forgotten', () => '')).toThrow('POST /bff/forgotten needs a role');
  });

  test('signing out ends the session and its streams of events, and a session has at most ten', async () => {
    const cookie = cookieOf(server);
    const other = cookieOf(server);
    const abort = new AbortController();
    const open = async (session: string): Promise<Response> =>
      await fetch(`${server.origin()}/bff/events`, { headers: { cookie: session }, signal: abort.signal });
    const streams = await Promise.all(Array.from({ length: 10 }, async () => await open(cookie)));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await open(cookie)).status).toBe(429);
    const kept = await open(other);
    const ended = Promise.allSettled(streams.map(async (stream) => await stream.text()));
    expect((await sendRaw(server, '/bff/session', { method: 'DELETE', headers: { cookie } })).status).toBe(200);
    expect((await ended).map(({ status }) => status)).toEqual(streams.map(() => 'rejected'));
    expect((await sendRaw(server, '/bff/session', { headers: { cookie } })).status).toBe(401);
    const reader = kept.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^data: {"type":"health"/);
    server.live.announce('persons');
    const told = '{"type":"changed","kinds":["persons"],"personIds":[]}';
    // The state of the local copy may come before.
    await expect.poll(async () => (await reader?.read())?.value).toContain(told);
    abort.abort();
  });
});

describe('other sites', () => {
  test.for(changes)('%s needs the origin of the console', async (method) => {
    const cookie = cookieOf(server);
    const { host, port } = new URL(server.origin());
    const origins = [undefined, 'null', '', 'https://evil.example', `https://${host}`, `http://127.0.0.1:${port}`];
    for (const origin of [...origins, `${server.origin()}.evil.example`, `http://localhost:${Number(port) + 1}`]) {
      // oxlint-disable-next-line no-await-in-loop
      const { status } = await sendRaw(server, '/bff/session', { method, headers: { cookie, origin } });
      expect({ origin, status }).toEqual({ origin, status: 403 });
    }
    // The session goes on. A header that other frameworks obey.
    const override = { cookie, origin: 'https://evil.example', 'x-http-method-override': method };
    expect((await sendRaw(server, '/bff/session?_method=DELETE', { headers: override })).status).toBe(200);
  });

  test('a browser that says that the request is of another site gets nothing', async () => {
    const cookie = cookieOf(server);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { cookie, 'sec-fetch-site': site };
      for (const path of ['/bff/session', '/%62ff/session', `${server.origin()}/bff/session`]) {
        // oxlint-disable-next-line no-await-in-loop
        expect((await sendRaw(server, path, { headers })).status).toBe(403);
      }
      // A link to a page is fine.
      // oxlint-disable-next-line no-await-in-loop
      expect((await sendRaw(server, '/people', { headers })).status).toBe(200);
    }
  });

  test('another host name that leads here gets nothing', async () => {
    const cookie = cookieOf(server);
    const { port } = new URL(server.origin());
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1:${port}`, 'localhost', '']) {
      // oxlint-disable-next-line no-await-in-loop
      const { status, body } = await sendRaw(server, '/bff/session', { headers: { host, cookie } });
      expect({ host, status }).toEqual({ host, status: 403 });
      expect(body).not.toContain('evil');
    }
  });

  test('only JSON is read', async () => {
    const body = JSON.stringify({ code: 'x' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x/y']) {
      const headers = { 'content-type': type };
      // oxlint-disable-next-line no-await-in-loop
      expect((await sendRaw(server, '/bff/session', { method: 'POST', headers, body })).status).toBe(400);
    }
    const compressed = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) };
    expect((await sendRaw(server, '/bff/session', { method: 'POST', ...compressed })).status).toBe(400);
    // A handler that reads would run.
    const cookie = cookieOf(server);
    expect((await sendRaw(server, '/bff/session', { method: 'HEAD', headers: { cookie } })).status).toBe(404);
  });
});

describe('input', () => {
  test.for([
    ['a huge body', `{"code":"${'x'.repeat(2 ** 20)}"}`],
    ['deep JSON', `{"code":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['__proto__', '{"code":"x","__proto__":{"roles":["operator"]}}'],
    ['constructor.prototype', '{"code":"x","constructor":{"prototype":{"roles":["operator"]}}}'],
    ['an unknown field', '{"code":"x","roles":["operator"]}'],
    ['another type', '{"code":{"$ne":""}}'],
    ['no JSON', '{"code":'],
    ['nothing', ''],
  ] as const)('%s is rejected', async ([, body]) => {
    const { status, body: text } = await sendRaw(server, '/bff/session', { method: 'POST', body });
    expect(status).toBe(400);
    expect((JSON.parse(text) as Problem['body']).code).toBe('invalid-input');
    expect(text.length).toBeLessThan(500);
    expect(({} as { roles?: unknown }).roles).toBeUndefined();
  });

  test('no path leads out of the pages', async () => {
    const climbs = [
      '/../package.json',
      '/assets/../../package.json',
      '/..%2fpackage.json',
      '/assets/..%2f..%2fpackage.json',
    ];
    for (const path of [...climbs, '/%2e%2e/package.json', '/..\\package.json', '//etc/passwd']) {
      // oxlint-disable-next-line no-await-in-loop
      const { status, body, headers } = await sendRaw(server, path);
      expect([200, 404]).toContain(status);
      expect(headers['content-type']).toMatch(status === 200 ? /^text\/html/ : /./);
      expect(body).not.toMatch(/"dependencies"|root:|main\.tsx/);
    }
  });

  test('sign-ins are limited by address', async () => {
    await using limited = await startTestConsole();
    const statuses = [];
    for (let attempt = 0; attempt < 62; attempt++) {
      const headers = { 'x-forwarded-for': `10.0.0.${attempt}` };
      const body = JSON.stringify({ code: `guess-${attempt}` });
      // oxlint-disable-next-line no-await-in-loop
      statuses.push((await sendRaw(limited, '/bff/session', { method: 'POST', headers, body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429, 429]);
  });
});

describe('responses', () => {
  test('have the headers that protect pages, and only files with a hash in their name are kept', async () => {
    const [script = ''] = await readdir(fileURLToPath(new URL('../dist/assets', import.meta.url)));
    const kept = { '/color-scheme.js': 'no-cache', '/icon.svg': 'no-cache', [`/assets/${script}`]: 'immutable' };
    const paths = { '/': 'no-store', '/people': 'no-store', '/index.html': 'no-store', '/bff/today': 'no-store' };
    const errors = { '/bff/none': 'no-store', '/%zz': 'no-store', '/assets/none.js': 'no-store' };
    for (const [path, caching] of Object.entries({ ...kept, ...paths, ...errors })) {
      // oxlint-disable-next-line no-await-in-loop
      const { headers } = await sendRaw(server, path);
      expect({ path, caching: headers['cache-control'] }).toEqual({
        path,
        caching: expect.stringContaining(caching) as string,
      });
      expect({ path, headers }).toMatchObject({
        headers: {
          'content-security-policy': expect.stringMatching(
            /^default-src 'self'; style-src 'self'( 'nonce-[\w+/]{22}==')?; .*object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
          ) as string,
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        },
      });
      expect(Object.keys(headers)).not.toContain('access-control-allow-origin');
      expect(Object.keys(headers)).not.toContain('x-powered-by');
    }
    const nonces = await Promise.all([sendRaw(server, '/'), sendRaw(server, '/')]);
    expect(new Set(nonces.map(({ headers }) => headers['content-security-policy'])).size).toBe(2);
  });

  test('of all routes contain no token, no secret and no full IBAN', async () => {
    const cookie = cookieOf(server);
    const persons = [...server.cloud.mirror.persons()];
    const ibans = persons.flatMap(({ bankDetails }) => bankDetails?.iban ?? []);
    expect(ibans.length).toBeGreaterThan(100);
    const { id = '', employments = [] } = persons.find(({ employments: all }) => (all?.length ?? 0) > 0) ?? {};
    const routes = (await routesOf(server)).filter(({ method, path }) => method === 'GET' && path !== '/bff/events');
    for (const { path } of routes) {
      const isContract = path.startsWith('/bff/contract');
      const key = isContract ? (employments?.[0]?.payrollContractId ?? '') : id;
      // oxlint-disable-next-line no-await-in-loop
      const { body } = await sendRaw(server, path.replace('/1', `/${encodeURIComponent(key)}`), {
        headers: { cookie },
      });
      expect(body).not.toMatch(/demo-secret|operator-secret|Bearer |access_token|clientSecret/);
      expect(body).not.toContain(cookie.split('=')[1]);
      expect(ibans.filter((iban) => body.includes(iban))).toEqual([]);
    }
  });

  test('behind a proxy, the origin and host are those of the proxy, and browsers stay with https', async () => {
    const port = await freePort();
    await using proxied = await startTestConsole({
      HR_CONSOLE_ORIGIN: 'https://console.example',
      HR_CONSOLE_PORT: port,
    });
    const { status, headers } = await sendRaw(proxied, '/bff/session', { port });
    expect(status).toBe(401);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const host = `localhost:${port}`;
    expect((await sendRaw(proxied, '/', { port, headers: { host } })).status).toBe(403);
    const origin = 'http://console.example';
    const change = { method: 'DELETE', port, headers: { origin } };
    expect((await sendRaw(proxied, '/bff/session', change)).status).toBe(403);
    // The proxy adds the address of its client at the end; what the client itself sends does not count.
    const statuses = [];
    for (let attempt = 0; attempt < 61; attempt++) {
      const forwarded = { 'x-forwarded-for': `10.0.0.${attempt}, 192.0.2.1` };
      const request = { method: 'POST', port, headers: forwarded, body: '{"code":"guess"}' };
      // oxlint-disable-next-line no-await-in-loop
      statuses.push((await sendRaw(proxied, '/bff/session', request)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const another = { method: 'POST', port, headers: { 'x-forwarded-for': '192.0.2.2' }, body: '{"code":"guess"}' };
    expect((await sendRaw(proxied, '/bff/session', another)).status).toBe(401);
  });

  test('of errors, and the log, contain no personal data', async () => {
    const name = 'Erika Mustermann';
    logged.length = 0;
    const cookie = cookieOf(server);
    const thrown = vi.spyOn(server.cloud.operator, 'clients');
    const full = Object.assign(new Error(name), { code: 'ERR_SQLITE_ERROR', errstr: 'database or disk is full' });
    for (const error of [new Error(`${name}\n    at ${name}`), name, full, undefined]) {
      thrown.mockRejectedValueOnce(error);
      // oxlint-disable-next-line no-await-in-loop
      const { status, body } = await sendRaw(server, '/bff/system/clients', { headers: { cookie } });
      expect(status).toBe(500);
      expect(body).not.toContain(name);
    }
    thrown.mockRestore();

    const state = { status: 500 };
    await using service = await failingService(name, state);
    await using other = await startTestConsole({ HR_BASE_URL: service.url });
    const session = { cookie: cookieOf(other) };
    for (state.status of [200, 400, 403, 404, 409, 422, 429, 500]) {
      // oxlint-disable-next-line no-await-in-loop
      const responses = await Promise.all([
        sendRaw(other, '/bff/system/clients', { headers: session }),
        sendRaw(other, '/bff/system/webhooks', { headers: session }),
        sendRaw(other, '/bff/contracts/1', { headers: session }),
      ]);
      for (const response of responses) {
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.body).not.toContain(name);
        expect(response.body).not.toContain('secret');
        // A read changes nothing, whatever became of it.
        expect(response.body).not.toContain('outcome-unknown');
      }
    }
    expect(logged.join('')).not.toContain(name);
    const lines = logged.map((line) => JSON.parse(line) as object);
    const frames = expect.arrayContaining([expect.stringContaining('security.test.ts')]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', error: { name: 'Error', frames } }));
    const error = { name: 'Error', code: 'ERR_SQLITE_ERROR', errstr: 'database or disk is full', frames };
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', error }));
    const request = { method: 'GET', route: '/bff/system/clients', status: 500 };
    expect(lines).toContainEqual(expect.objectContaining({ level: 'info', ...request }));
  });
});

/** A service that issues tokens, and puts a name into the body of every other response. */
async function failingService(
  name: string,
  state: { readonly status: number },
): Promise<AsyncDisposable & { readonly url: string }> {
  const service = createServer((request, response) => {
    const isToken = request.url === '/api/oauth2/token';
    const token = { access_token: 'secret-token', token_type: 'Bearer', expires_in: 3600 };
    const problem = { type: `urn:${name}`, title: name, detail: name, instance: name, name };
    response.writeHead(isToken ? 200 : state.status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(isToken ? token : problem));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const close = async (): Promise<void> => {
    service.closeAllConnections();
    service.close();
    await once(service, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
