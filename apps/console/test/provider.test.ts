import { DatabaseSync } from 'node:sqlite';
import type { JWTPayload } from 'jose';
import type { Logger } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordsFile } from '../src/backend/config.ts';
import { createLog } from '../src/backend/log.ts';
import { freePort } from './free-port.ts';
import { browser, settled } from './open-page.ts';
import { CLIENT, CookieJar, startProvider, type ProviderClaims, type TestProvider } from './start-provider.ts';
import { startTestConsole, type TestConsole } from './start-test-console.ts';

const PAYROLL = { payroll: 'editor,approver,pay,everyone', hr: 'viewer,birth,reports' };
const KIM: ProviderClaims = {
  name: 'Kim Roth',
  email: 'kim@example.com',
  groups: ['payroll'],
  employee_number: '20001',
};

interface Setup {
  readonly provider: TestProvider;
  readonly server: TestConsole;
}

/** Starts a provider and a console that trusts it. */
async function setUp(settings: Readonly<Record<string, string>> = {}, log?: Logger): Promise<Setup> {
  const port = await freePort();
  const provider = await startProvider(`http://localhost:${port}`);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const server = await startTestConsole(
    {
      HR_CONSOLE_PORT: port,
      HR_CONSOLE_OIDC_ISSUER: provider.issuer,
      HR_CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
      HR_CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
      HR_CONSOLE_OIDC_SCOPE: 'openid profile email groups',
      HR_CONSOLE_OIDC_EMPLOYEE_NUMBER_CLAIM: 'employee_number',
      HR_CONSOLE_ROLES: JSON.stringify(PAYROLL),
      ...settings,
    },
    log,
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  provider.people.set('1', KIM);
  return { provider, server };
}

/** Signs a person in. Returns their browser, and where it landed. */
async function signIn({ provider, server }: Setup, subject = '1', to = '/people?q=x') {
  provider.signedIn = subject;
  const jar = new CookieJar();
  const passed = await jar.follow(`${server.origin()}/bff/sign-in?${new URLSearchParams({ to }).toString()}`);
  return { jar, landed: passed.at(-1)?.slice(server.origin().length), callback: passed.at(-2) ?? '' };
}

async function sessionOf({ server }: Setup, jar: CookieJar): Promise<{ status: number; user?: unknown }> {
  const response = await jar.send(`${server.origin()}/bff/session`);
  const { user } = (await response.json()) as { user?: unknown };
  return { status: response.status, user };
}

/** Lets the time pass after which the provider is asked again. */
function passTime({ server }: Setup): void {
  using database = new DatabaseSync(recordsFile(server.config.folder));
  database.exec('update session set checked = 0');
}

const FAILED = '/sign-in?failure=';

test('a person signs in, lands where they wanted to go, and signs out at the provider too', async () => {
  const setup = await setUp();
  const { jar, landed } = await signIn(setup);
  expect(landed).toBe('/people?q=x');
  expect(await sessionOf(setup, jar)).toMatchObject({
    status: 200,
    user: {
      id: `${setup.provider.issuer}#1`,
      name: 'Kim Roth',
      roles: ['viewer', 'editor', 'approver'],
      data: ['pay'],
    },
  });
  expect(setup.server.records.people()).toMatchObject([{ login: 'kim@example.com', employeeNumber: '20001' }]);
  const ended = await jar.send(`${setup.server.origin()}/bff/session`, { method: 'DELETE' });
  const { address } = (await ended.json()) as { address: string };
  expect(new URL(address)).toMatchObject({ origin: setup.provider.issuer, pathname: '/session/end' });
  expect((await jar.send(address)).status).toBe(200);
  expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
});

test('a name is one line of visible characters, and an empty one is that of the address', async () => {
  const setup = await setUp();
  setup.provider.people.set('1', { ...KIM, name: 'Kim\u202E htoR\n\u001B[2Jlocal#mara\tMara' });
  setup.provider.people.set('2', { ...KIM, name: '\u200B' });
  await signIn(setup);
  await signIn(setup, '2');
  expect(setup.server.records.people().map(({ name }) => name)).toEqual([
    'Kim htoR [2Jlocal#mara Mara',
    'kim@example.com',
  ]);
});

test('an address of another site is no place to land', async () => {
  const setup = await setUp();
  const others = [
    'https://evil.example',
    '//evil.example/x',
    '/\\evil.example',
    '/.//evil.example',
    '/people/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
  ];
  for (const to of others) {
    // oxlint-disable-next-line no-await-in-loop -- one sign-in after the other
    expect((await signIn(setup, '1', to)).landed).toBe('/');
  }
});

test('twelve tabs of a browser sign in at once', async () => {
  const setup = await setUp();
  const { jar } = await signIn(setup);
  const { server } = setup;
  const begun = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, tab) => await jar.follow(`${server.origin()}/bff/sign-in?to=/people?q=${tab}`),
    ),
  );
  expect(begun.map((passed) => passed.at(-1))).toEqual(begun.map((_, tab) => `${server.origin()}/people?q=${tab}`));
});

describe('a sign-in is refused', () => {
  test('if the code is used again, or another browser has begun', async () => {
    const setup = await setUp();
    const { jar, callback } = await signIn(setup);
    const again = await jar.send(callback);
    expect(again.headers.get('location')).toBe(`${FAILED}refused`);
    const begun = await new CookieJar().follow(
      `${setup.server.origin()}/bff/sign-in`,
      `${setup.server.origin()}/oidc/`,
    );
    const stolen = await new CookieJar().send(begun.at(-1) ?? '');
    expect(stolen.headers.get('location')).toBe(`${FAILED}refused`);
  });

  test('if the response is of another issuer, or does not say of which', async () => {
    const setup = await setUp();
    const origin = setup.server.origin();
    setup.provider.signedIn = '1';
    for (const issuer of ['https://other.example', undefined]) {
      const jar = new CookieJar();
      // oxlint-disable-next-line no-await-in-loop -- one sign-in after the other
      const address = new URL((await jar.follow(`${origin}/bff/sign-in`, `${origin}/oidc/`)).at(-1) ?? '');
      if (issuer === undefined) address.searchParams.delete('iss');
      else address.searchParams.set('iss', issuer);
      // oxlint-disable-next-line no-await-in-loop
      expect((await jar.send(address)).headers.get('location')).toBe(`${FAILED}refused`);
    }
  });

  test.each<[what: string, change: (claims: JWTPayload) => JWTPayload]>([
    ['is of another issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
    ['is for another client', (claims) => ({ ...claims, aud: 'another-client' })],
    ['is for several clients', (claims) => ({ ...claims, aud: [CLIENT.id, 'another-client'] })],
    ['has expired', (claims) => ({ ...claims, exp: now() - 300 })],
    ['has another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['has no nonce', (claims) => without(claims, 'nonce')],
    ['has no subject', (claims) => without(claims, 'sub')],
  ])('if the ID token %s', async (_, change) => {
    const setup = await setUp();
    setup.provider.change = change;
    expect((await signIn(setup)).landed).toBe(`${FAILED}refused`);
    expect(setup.server.records.people()).toEqual([]);
  });

  test('if the ID token has the signature of somebody else', async () => {
    const setup = await setUp();
    await setup.provider.rotate(true);
    expect((await signIn(setup)).landed).toBe(`${FAILED}refused`);
  });

  test.each<[what: string, groups: unknown]>([
    ['is missing', undefined],
    ['is null', null],
    ['has a list in the list', [['payroll']]],
    ['has objects', [{ name: 'payroll' }, { toString: 'payroll' }]],
    ['has the roles in one text', 'payroll,hr'],
    ['has many values', Array.from({ length: 2000 }, (_, index) => `payroll${index}`)],
  ])('if the claim with the roles %s', async (_, groups) => {
    const setup = await setUp({ HR_CONSOLE_ROLES: JSON.stringify({ ...PAYROLL, undefined: 'viewer,everyone' }) });
    setup.provider.people.set('1', { ...KIM, groups: undefined });
    setup.provider.change = (claims) => ({ ...claims, groups });
    expect((await signIn(setup)).landed).toBe(`${FAILED}noRoles`);
  });

  test('if the role is that of an address that the provider does not say it verified', async () => {
    const roles = { [KIM['email'] as string]: 'viewer,everyone' };
    const setup = await setUp({
      HR_CONSOLE_OIDC_ROLES_CLAIM: 'email',
      HR_CONSOLE_ROLES: JSON.stringify(roles),
    });
    for (const verified of [false, undefined, true]) {
      setup.provider.change = (claims) => ({ ...claims, email_verified: verified });
      // oxlint-disable-next-line no-await-in-loop -- one sign-in after the other
      expect((await signIn(setup)).landed).toBe(verified ? '/people?q=x' : `${FAILED}noRoles`);
    }
  });

  test('if the audit could not name the person, so that it has the reads of all others', async () => {
    const setup = await setUp();
    const subject = 'ü'.repeat(70);
    setup.provider.people.set(subject, KIM);
    const { jar, landed } = await signIn(setup, subject);
    await jar.send(`${setup.server.origin()}/bff/people`);
    await setup.server.reads.send();
    expect(setup.server.reads.waiting).toBe(0);
    expect(landed).toBe(`${FAILED}refused`);
  });

  test('if the person has no role, or is disabled', async () => {
    const setup = await setUp();
    setup.provider.people.set('2', { ...KIM, groups: ['other'] });
    const refused = await signIn(setup, '2');
    expect(refused.landed).toBe(`${FAILED}noRoles`);
    const begin = `${setup.server.origin()}/bff/sign-in`;
    // The provider goes on with the account that it knows, unless it has to ask.
    expect((await refused.jar.follow(begin)).at(-1)).toContain(`${FAILED}noRoles`);
    const asked = await refused.jar.follow(`${begin}?again=true`, `${setup.provider.issuer}/who/`);
    expect(asked.at(-1)).toContain('/who/');
    const { jar } = await signIn(setup);
    setup.server.records.setDisabled(`${setup.provider.issuer}#1`, true);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
    expect((await signIn(setup)).landed).toBe(`${FAILED}noRoles`);
  });

  test('if the provider does not answer, or is not the one of the settings', async () => {
    const setup = await setUp();
    setup.provider.isDown = true;
    expect((await signIn(setup)).landed).toBe(`${FAILED}unavailable`);
    setup.provider.isDown = false;
    expect((await signIn(setup)).landed).toBe('/people?q=x');
    const wrong = await setUp({ HR_CONSOLE_OIDC_ISSUER: setup.provider.issuer.replace('127.0.0.1', 'localhost') });
    expect((await signIn(wrong)).landed).toBe(`${FAILED}unavailable`);
  });

  test('if it is by a link', async () => {
    const { server } = await setUp();
    const origin = server.origin();
    const [, code] = server.link().split('#');
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) };
    expect((await new CookieJar().send(`${origin}/bff/session`, init)).status).toBe(401);
    expect((await server.signIn()('/bff/session')).status).toBe(401);
  });
});

test('the log says what the provider has against the console', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const setup = await setUp({}, log);
  const { jar } = await signIn(setup);
  expect(lines).toEqual([]);
  setup.provider.knowsConsole = false;
  passTime(setup);
  expect(await sessionOf(setup, jar)).toMatchObject({ status: 200 });
  expect((await signIn(setup)).landed).toBe(`${FAILED}refused`);
  const refusal = { level: 'warn', error: { oauth: 'invalid_client' } };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { ...refusal, msg: 'The roles of a person cannot be checked now.' },
    { ...refusal, msg: 'A sign-in was refused.' },
  ]);
});

test('the log says why the provider cannot be reached', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const setup = await setUp({ HR_CONSOLE_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` }, log);
  expect((await signIn(setup)).landed).toBe(`${FAILED}unavailable`);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ error: { code: 'ECONNREFUSED' } }]);
});

test('new keys of the provider, and clocks that differ by seconds, are no fault', async () => {
  const setup = await setUp();
  const { provider } = setup;
  await signIn(setup);
  await provider.rotate();
  await expect.poll(async () => (await signIn(setup)).landed, { timeout: 30_000 }).toBe('/people?q=x');
  provider.change = (claims) => ({ ...claims, iat: now() + 20, exp: now() - 20 });
  expect((await signIn(setup)).landed).toBe('/people?q=x');
});

describe('a session', () => {
  test('has the roles that the provider says, a few minutes later at the latest', async () => {
    const setup = await setUp();
    const { jar } = await signIn(setup);
    setup.provider.people.set('1', { ...KIM, name: 'Kim Weber', groups: ['hr'] });
    passTime(setup);
    const user = { id: `${setup.provider.issuer}#1`, name: 'Kim Weber', roles: ['viewer'], data: ['birth'] };
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 200, user });
    setup.provider.people.set('1', { ...KIM, groups: [] });
    passTime(setup);
    // Twelve tabs ask at once, and the refresh token is good for once.
    const answers = await Promise.all(Array.from({ length: 12 }, async () => await sessionOf(setup, jar)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });

  test('goes on while the provider does not answer', async () => {
    const setup = await setUp();
    const { jar } = await signIn(setup);
    setup.provider.isDown = true;
    passTime(setup);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 200 });
    setup.provider.isDown = false;
    passTime(setup);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 200 });
  });

  test.each<[what: string, spoil: (setup: Setup) => unknown]>([
    ['knows the person no more', ({ provider }) => provider.people.delete('1')],
    ['names somebody else', ({ provider }) => (provider.change = (claims) => ({ ...claims, sub: '2' }))],
    ['signs with a key of somebody else', ({ provider }) => provider.rotate(true)],
  ])('ends if the provider %s', async (_, spoil) => {
    const setup = await setUp();
    const { jar } = await signIn(setup);
    await spoil(setup);
    passTime(setup);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
  });

  test('ends at once when the person signs out at the provider, and others go on', async () => {
    const setup = await setUp();
    setup.provider.people.set('2', KIM);
    const [{ jar }, other] = [await signIn(setup), await signIn(setup, '2')];
    const page = await (await jar.send(`${setup.provider.issuer}/session/end`)).text();
    const [, secret = ''] = /name="xsrf" value="(\w+)"/.exec(page) ?? [];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ xsrf: secret, logout: 'yes' }).toString();
    await jar.send(`${setup.provider.issuer}/session/end/confirm`, { method: 'POST', headers, body });
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
    expect(await sessionOf(setup, other.jar)).toMatchObject({ status: 200 });
  });

  test('is not ended by a logout token that is no such token of the provider', async () => {
    const setup = await setUp();
    const { provider, server } = setup;
    const { jar } = await signIn(setup);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const valid = { iss: provider.issuer, aud: CLIENT.id, sub: '1', iat: now(), exp: now() + 60, jti: '1', events };
    const send = async (token: string): Promise<number> => {
      const body = new URLSearchParams({ logout_token: token });
      return (await fetch(`${server.origin()}/oidc/back-channel-logout`, { method: 'POST', body })).status;
    };
    const { events: _events, ...idToken } = valid;
    const wrong = [
      { iss: 'https://other' },
      { aud: 'other' },
      { nonce: 'n' },
      { iat: now() - 900 },
      { exp: now() - 60 },
    ];
    for (const claims of [idToken, ...wrong.map((change) => ({ ...valid, ...change })), { ...valid, sub: undefined }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await send(await provider.sign(claims as JWTPayload, 'logout+jwt'))).toBe(400);
    }
    const [head = '', payload] = (await provider.sign(valid)).split('.');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect(await send(`${unsigned}.${payload}.`)).toBe(400);
    expect(await send(`${head}.${payload}.AAAA`)).toBe(400);
    // Of before the sign-in, such as one that was sent before.
    expect(await send(await provider.sign({ ...valid, iat: now() - 120 }))).toBe(204);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 200 });
    expect(await send(await provider.sign({ ...valid, iat: now() + 5 }))).toBe(204);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
  });

  test('ends when the provider ends hundreds at once', async () => {
    const setup = await setUp();
    const { provider, server } = setup;
    const { jar } = await signIn(setup);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const logout = { iss: provider.issuer, aud: CLIENT.id, iat: now() + 5, exp: now() + 60, jti: '1', events };
    const statuses = new Set<number>();
    for (let subject = 200; subject > 0; subject--) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const token = await provider.sign({ ...logout, sub: String(subject) });
      const body = new URLSearchParams({ logout_token: token });
      // oxlint-disable-next-line no-await-in-loop
      statuses.add((await fetch(`${server.origin()}/oidc/back-channel-logout`, { method: 'POST', body })).status);
    }
    expect([...statuses]).toEqual([204]);
    expect(await sessionOf(setup, jar)).toMatchObject({ status: 401 });
  });

  test('keeps no token that a copy of the folder reveals', async () => {
    const setup = await setUp();
    await signIn(setup);
    using database = new DatabaseSync(recordsFile(setup.server.config.folder));
    const [row] = database.prepare('select tokens from session').all() as { tokens: Uint8Array }[];
    const text = Buffer.from(row?.tokens ?? []).toString('latin1');
    expect(text.length).toBeGreaterThan(200);
    expect(text).not.toMatch(/eyJ|refreshToken/);
  });
});

test('a page leads to the provider by itself, and after the sign-out only when the person asks', async () => {
  const setup = await setUp();
  setup.provider.signedIn = '1';
  const context = await browser.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${setup.server.origin()}/absences?view=table`);
  await settled(page);
  expect(page.url()).toBe(`${setup.server.origin()}/absences?view=table`);
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByText('Signed in as Kim Roth').waitFor();
  await page.goto(`${setup.server.origin()}/sign-in?failure=noRoles`);
  await context.clearCookies();
  await page.goto(`${setup.server.origin()}/sign-in?failure=noRoles`);
  await page.getByText('You have no role in this console.').waitFor();
  const link = page.getByRole('link', { name: 'Sign in with your company account' });
  expect(await link.getAttribute('href')).toContain('again=true');
  await link.click();
  await settled(page);
  expect(page.url()).toBe(`${setup.server.origin()}/`);
});

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
