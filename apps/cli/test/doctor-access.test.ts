import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { doctor, fake, hrCloud, http } from './examine.ts';
import { homeFolder, runHr } from './run-hr.ts';

test('credentials and scope: rejected, with white space, or not granted', async () => {
  const baseUrl = await http(hrCloud());
  await expect(doctor(baseUrl, { HR_CLIENT_SECRET: 'wrong' })).resolves.toMatchObject({
    code: 4,
    checks: {
      credentials: expect.stringMatching(
        /^failed: the service rejects the client id fake-client or its secret/,
      ) as string,
      listPersons: 'skipped: because of credentials',
    },
  });
  await expect(doctor(baseUrl, { HR_CLIENT_SECRET: `${fake.clientSecret}\n` })).resolves.toMatchObject({
    checks: { credentials: expect.stringMatching(/^failed: the client secret begins or ends with white/) as string },
  });
  const invalidScope = await http(
    hrCloud((request) =>
      request.url.endsWith('/token') ? Response.json({ error: 'invalid_scope' }, { status: 400 }) : undefined,
    ),
  );
  await expect(doctor(invalidScope)).resolves.toMatchObject({
    code: 4,
    checks: {
      credentials: 'ok: the service knows fake-client and its secret',
      scope: 'failed: the scope api:use is not granted | Ask the operator to grant the scope api:use.',
    },
  });
  const otherScope = await http(
    hrCloud((request) =>
      request.url.endsWith('/introspect') ? Response.json({ active: true, scope: 'operator' }) : undefined,
    ),
  );
  await expect(doctor(otherScope)).resolves.toMatchObject({
    checks: { scope: expect.stringMatching(/^failed: the token does not have the scope api:use/) as string },
  });
});

function problem(status: number, more: object): Response {
  return Response.json({ type: 'about:blank', title: '', status, ...more }, { status });
}

test('operations: not granted, not there, or with an old time-recording component', async () => {
  const baseUrl = await http(
    hrCloud((request) => {
      if (!request.headers.has('authorization')) return undefined;
      if (/time-bookings|absences/.test(request.url)) {
        const type = 'urn:hr-cloud:problem:time-component-version';
        return problem(409, { type, installed: '63.11.9', required: '63.11.20' });
      }
      if (request.url.includes('/changes')) return problem(404, {});
      if (request.url.includes('salaries')) return problem(403, {});
      if (request.method === 'PATCH') return problem(501, {});
      return undefined;
    }),
  );
  const { code, checks } = await doctor(baseUrl);
  const old =
    'failed: the time-recording component is too old: installed 63.11.9, required 63.11.20 | Ask the operator to update it.';
  expect({ code, checks }).toMatchObject({
    code: 1,
    checks: {
      listPersons: 'ok: granted',
      updatePerson: 'failed: the service does not have it (501) | Ask the operator which version it is.',
      listSalaryHistory:
        'failed: not granted to this client | Ask the operator to grant listSalaryHistory to fake-client.',
      listTimeBookings: old,
      listAbsences: old,
      listAllAbsences: old,
      getChanges: 'skipped: the service does not have it',
    },
  });
});

test('idempotency: the profile says that the service supports it, but it does not', async () => {
  const home = await homeFolder();
  const ignoring = await http(
    hrCloud((request) => {
      const key = request.headers.get('idempotency-key');
      return key === null ? undefined : problem(400, {});
    }),
  );
  const supporting = await http(hrCloud());
  const profile = '[profiles.default]\nidempotency = "provider-supports"\n';
  await writeFile(join(home, 'config.toml'), profile, { mode: 0o600 });
  const env = { HR_HOME: home };
  expect((await doctor(supporting, env)).checks['idempotency']).toBe('ok: supported');
  const { code, checks } = await doctor(ignoring, env);
  expect(code).toBe(1);
  expect(checks['idempotency']).toMatch(/^failed: .* it ignores the header \| Run hr auth login again/);
  expect((await doctor(ignoring)).checks['idempotency']).toMatch(
    /^ok: not supported: a payment that is sent again may pay twice$/,
  );
});

test('mirror: of today, with a failed sync, or old', async () => {
  const baseUrl = await http(hrCloud());
  const env = { HR_HOME: await homeFolder(), HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
  const sync = (): Promise<{ code: number }> =>
    runHr(['sync', 'persons', '--full'], { env: { ...env, HR_BASE_URL: baseUrl } });
  await expect(sync()).resolves.toMatchObject({ code: 0 });
  expect((await doctor(baseUrl, env)).checks['mirror']).toMatch(/^ok: 0 persons of \d{4}-/);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 24 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await doctor(baseUrl, env)).checks['mirror']).toBe('failed: persons are 5 days old | Run: hr sync persons');
  vi.useRealTimers();

  fake.failNext('listPersons', 403);
  await expect(sync()).resolves.toMatchObject({ code: 4 });
  const { code, checks } = await doctor(baseUrl, env);
  expect(code).toBe(1);
  expect(checks['mirror']).toMatch(
    /^failed: the latest sync of persons failed \(forbidden\), at .* \| Run: hr sync persons$/,
  );
});
