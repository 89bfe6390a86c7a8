import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { certificate, certificateOfElsewhere, expiredCertificate } from './certificates.ts';
import { doctor, fake, hrCloud, http, https, listening } from './examine.ts';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';

const trusted = getCACertificates('default');
afterEach(() => setDefaultCACertificates(trusted));

test('prints a line for each check, and ends with 0 if none fails', async () => {
  // Another test file may have used the same fake.
  fake.clearRequests();
  const baseUrl = await http(hrCloud());
  const env = {
    HR_HOME: await homeFolder(),
    HR_BASE_URL: baseUrl,
    HR_CLIENT_ID: fake.clientId,
    HR_CLIENT_SECRET: fake.clientSecret,
  };
  const { code, stdout, stderr } = await runHr(['doctor'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.replaceAll(new URL(baseUrl).port, 'PORT')).toBe(`\
ok       profile                       default: fake-client at http://127.0.0.1:PORT
ok       address                       127.0.0.1:PORT is 127.0.0.1 and accepts connections
ok       proxy                         none in the environment
skipped  certificate                   the address is plain http
ok       response                      status 401 to a request without a token
ok       redirect                      none
ok       service                       an HR Cloud: it asks for an access token
ok       clock                         as that of the service, within a minute
ok       credentials                   the service knows fake-client and its secret
ok       scope                         api:use as requested
ok       listPersons                   granted
ok       updatePerson                  granted
ok       submitVariablePayment         granted
ok       listVariablePayments          granted
ok       listVariablePaymentDecisions  granted
ok       listTimeBookings              granted
ok       listSalaryHistory             granted
ok       listAllSalaries               granted
ok       listAbsences                  granted
ok       listAllAbsences               granted
ok       getChanges                    granted
ok       createWebhookEndpoint         granted
ok       listWebhookEndpoints          granted
ok       listWebhookDeliveries         granted
ok       testWebhookEndpoint           granted
ok       rotateWebhookSecret           granted
ok       deleteWebhookEndpoint         granted
ok       idempotency                   supported
skipped  mirror                        there is no local copy yet; to make it: hr sync
`);
  // Requests that read and change nothing.
  const calls = fake.requests.map(({ operation, query, body, status }) => ({ operation, query, body, status }));
  expect(calls.filter(({ status, operation }) => status === 200 && operation !== 'requestToken')).toEqual([
    { operation: 'listPersons', query: { changedSince: '9999-12-31' }, body: undefined, status: 200 },
    { operation: 'listTimeBookings', query: { changedSince: '9999-12-31' }, body: undefined, status: 200 },
    { operation: 'listAllSalaries', query: { from: '9999-12' }, body: undefined, status: 200 },
    { operation: 'listAllAbsences', query: { changedSince: '9999-12-31' }, body: undefined, status: 200 },
    { operation: 'listWebhookEndpoints', query: {}, body: undefined, status: 200 },
  ]);
  const writes = calls.filter(({ operation }) => /^(?:update|submit)/.test(operation ?? ''));
  expect(writes.map(({ body, status }) => ({ body, status }))).toEqual([
    { body: {}, status: 404 },
    { body: {}, status: 400 },
    { body: {}, status: 400 },
  ]);
});

test('finds no fault in the demo', async () => {
  const env = demoEnvironment(await homeFolder());
  const { code, stdout } = await runHr(['doctor', '-o', 'json'], { env });
  const results = JSON.parse(stdout) as { check: string; state: string; message: string }[];
  expect({ code, states: new Set(results.map(({ state }) => state)) }).toEqual({
    code: 0,
    states: new Set(['ok', 'skipped']),
  });
  expect(results.find(({ check }) => check === 'scope')?.message).toBe('api:use');
  expect(results.find(({ check }) => check === 'idempotency')?.message).toMatch(/^supported/);
});

test('at another address than that of the profile, says that the stored secret is not sent there', async () => {
  const env = { HR_HOME: await homeFolder() };
  const own = await http(hrCloud());
  const login = ['auth', 'login', '--base-url', own, '--client-id', fake.clientId];
  await runHr(login, { env: { ...env, HR_CLIENT_SECRET: fake.clientSecret } });
  await runHr(['sync', 'persons'], { env });
  fake.clearRequests();
  const there = ['--base-url', await http(hrCloud())];
  const { code, stdout } = await runHr(['doctor', ...there], { env });
  expect(code).toBe(0);
  const lineOf = (check: string) => stdout.split('\n').find((line) => line.split(/ +/)[1] === check);
  expect(lineOf('service')).toMatch(/^ok .*an HR Cloud/);
  expect(lineOf('credentials')).toBe(
    `skipped  credentials                   the stored secret is only sent to ${own} as fake-client. To go on, pass --client-secret-file`,
  );
  expect(lineOf('scope')).toMatch(/^skipped .* there is no token$/);
  expect(lineOf('listPersons')).toMatch(/^skipped .* there is no token$/);
  expect(lineOf('mirror')).toMatch(/ the local copy is that of another address or client$/);
  expect(JSON.stringify(fake.requests)).not.toContain(fake.clientSecret);
  const given = await runHr(['doctor', ...there, '--client-secret-file', '-'], { env, stdin: fake.clientSecret });
  expect(given.stdout).toMatch(/^ok +listPersons +granted$/m);
});

test('profile: a file that others can read, or an address that is no URL', async () => {
  const home = await homeFolder();
  await writeFile(join(home, 'config.toml'), `[profiles.default]\nclient_secret = "${fake.clientSecret}"`);
  await chmod(join(home, 'config.toml'), 0o644);
  const { code, checks } = await doctor('http://127.0.0.1', { HR_HOME: home });
  expect({ code, profile: checks['profile'], address: checks['address'] }).toEqual({
    code: 1,
    profile: expect.stringMatching(/^failed: .*Run: chmod 600/) as string,
    address: 'skipped: because of profile',
  });
  await expect(doctor('hr.example.com')).resolves.toMatchObject({
    code: 2,
    checks: { profile: expect.stringContaining('must be an absolute http or https address') as string },
  });
});

test('address: plain http, an unknown name, or a closed port', async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(doctor(`http://127.0.0.1:${port}`)).resolves.toMatchObject({
    code: 8,
    checks: {
      address: `failed: no connection to 127.0.0.1:${port} at 127.0.0.1 (ECONNREFUSED) | Nothing listens there. Check the port, and whether the service runs.`,
      credentials: 'skipped: because of address',
      mirror: 'skipped: there is no local copy yet; to make it: hr sync',
    },
  });
  await expect(doctor('https://hr.invalid')).resolves.toMatchObject({
    code: 8,
    checks: { address: expect.stringMatching(/^failed: no address for hr\.invalid in DNS/) as string },
  });
  await expect(doctor('http://hr.example.com')).resolves.toMatchObject({
    code: 2,
    checks: { profile: expect.stringContaining('would travel unencrypted to hr.example.com. Use https.') as string },
  });
  // A user and a password are not shown, wherever the slip is.
  const slips = await Promise.all(
    ['https://', 'http:/', 'user:', ''].map((start) => doctor(`${start}me:pass-word@127.0.0.1`)),
  );
  for (const { code, stdout } of slips) {
    expect(code).toBe(2);
    expect(stdout).not.toContain('pass-word');
  }
});

test('proxy: used or not, exempt, closed, or no URL', async () => {
  const baseUrl = await http(hrCloud());
  const closed = 'http://user:proxy-password@127.0.0.1:1';
  const proxyOf = async (env: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const { checks, stdout } = await doctor(baseUrl, env);
    expect(stdout).not.toContain('proxy-password');
    return checks['proxy'];
  };
  expect(await proxyOf({ HTTP_PROXY: closed })).toBe(
    'ok: HTTP_PROXY is set, but Node.js does not use it; the direct connection works',
  );
  expect(await proxyOf({ http_proxy: closed, NODE_USE_ENV_PROXY: '1' })).toBe(
    'failed: no connection to the proxy 127.0.0.1:1 of http_proxy (ECONNREFUSED) | Correct http_proxy, or add 127.0.0.1 to NO_PROXY.',
  );
  expect(await proxyOf({ HTTP_PROXY: closed, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost, 127.0.0.1' })).toBe(
    'ok: HTTP_PROXY is set, and NO_PROXY exempts 127.0.0.1',
  );
  expect(await proxyOf({ HTTP_PROXY: 'proxy', NODE_OPTIONS: '--use-env-proxy' })).toBe(
    'failed: HTTP_PROXY is not a URL | Write it like http://proxy.example.com:3128.',
  );
  await expect(doctor('http://127.0.0.1:2', { HTTP_PROXY: closed })).resolves.toMatchObject({
    checks: { proxy: 'failed: HTTP_PROXY is set, but Node.js does not use it | Set NODE_USE_ENV_PROXY=1.' },
  });
});

test('certificate behind a proxy', async () => {
  // Node.js reads the environment when it starts, so here requests are direct.
  const env = { HTTPS_PROXY: await http(hrCloud()), NODE_USE_ENV_PROXY: '1' };
  await expect(doctor(await https(certificate), env)).resolves.toMatchObject({
    code: 8,
    checks: {
      address: 'skipped: the proxy looks it up',
      certificate: expect.stringMatching(/^failed: this machine does not trust the certificate/) as string,
    },
  });
  await expect(doctor('https://127.0.0.1:2', env)).resolves.toMatchObject({
    code: 8,
    checks: {
      certificate: 'skipped: nothing responds through the proxy',
      response: expect.stringMatching(/^failed: no complete HTTP response/) as string,
    },
  });
});

test('certificate: untrusted, expired, of another host, or trusted', async () => {
  const baseUrl = await https(certificate);
  await expect(doctor(baseUrl)).resolves.toMatchObject({
    code: 8,
    checks: {
      certificate: expect.stringMatching(
        /^failed: this machine does not trust the certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\) \| Set NODE_EXTRA_CA_CERTS .*--use-system-ca/,
      ) as string,
      credentials: 'skipped: because of certificate',
    },
  });
  setDefaultCACertificates([certificate, expiredCertificate, certificateOfElsewhere]);
  await expect(doctor(await https(expiredCertificate))).resolves.toMatchObject({
    checks: { certificate: 'failed: the certificate has expired | Ask the operator to renew it.' },
  });
  await expect(doctor(await https(certificateOfElsewhere))).resolves.toMatchObject({
    checks: { certificate: expect.stringMatching(/^failed: the certificate is for another host than 127/) as string },
  });
  await expect(doctor(baseUrl)).resolves.toMatchObject({
    code: 0,
    checks: { certificate: 'ok: trusted, issued by hr test, valid until 2126-01-01' },
  });
  // A server without TLS.
  const plain = await http(hrCloud());
  await expect(doctor(plain.replace('http', 'https'))).resolves.toMatchObject({
    checks: { certificate: expect.stringMatching(/^failed: no TLS connection/) as string },
  });
});

async function serviceCheck(listener: RequestListener): Promise<string | undefined> {
  return (await doctor(await http(listener))).checks['service'];
}

test('redirect, and what is not the HR Cloud', async () => {
  const location = 'https://hr.example.com/login?ticket=1';
  await expect(doctor(await http((_, to) => to.writeHead(302, { location }).end()))).resolves.toMatchObject({
    code: 1,
    checks: {
      redirect: expect.stringMatching(/^failed: the service redirects to https:\/\/hr\.example\.com \|/) as string,
      service: 'skipped: because of redirect',
    },
  });
  expect(await serviceCheck((_, to) => to.end('<h1>It works!</h1>'))).toMatch(
    /^failed: something else than the HR Cloud responds: status 200 .* \| Check the address\./,
  );
  expect(await serviceCheck((_, to) => to.writeHead(401, { 'www-authenticate': 'Basic' }).end())).toMatch(
    /^failed: something/,
  );
  expect(await serviceCheck((_, to) => to.writeHead(503).end())).toMatch(/^failed: status 503 \| Try again later/);
  await expect(doctor(await http((request) => request.socket.destroy()))).resolves.toMatchObject({
    code: 8,
    checks: { response: expect.stringMatching(/^failed: no complete HTTP response/) as string },
  });
});

test.each([
  ['behind', 3_600_000],
  ['ahead of', -3_600_000],
])('clock: %s that of the service', async (side, difference) => {
  const listener = hrCloud();
  const baseUrl = await http((request, to) => {
    to.setHeader('date', new Date(Date.now() + difference).toUTCString());
    listener(request, to);
  });
  const { code, checks } = await doctor(baseUrl);
  expect(code).toBe(1);
  expect(checks['clock']).toMatch(new RegExp(`^failed: this machine's clock is 3\\d{3} s ${side} that of the service`));
  expect(checks['credentials']).toMatch(/^ok/);
});
