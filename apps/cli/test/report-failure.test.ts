import { join } from 'node:path';
import { clientCredentials, staticToken } from '@hr/auth';
import { createHrClient, type HrClientOptions } from '@hr/client';
import { openMirror, openOutbox } from '@hr/client/mirror';
import { expect, test } from 'vitest';
import { failureMessage } from '../src/report-failure.ts';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';

/** What the packages call their options, and what else only a program has. */
const ofPrograms =
  /\b(?:baseUrl|clientId|clientSecret|timeout|\w+Timeout|retryAfterMs|allowInsecureHttp|maxShrink|mayPayTwice|auth|cause|fetch|getToken|problem\.kind|provider|@hr\/client|function)\b/;

async function failure(promise: PromiseLike<unknown>): Promise<string> {
  return await promise.then(
    () => expect.unreachable(),
    (error: unknown) => failureMessage(error),
  );
}

const baseUrl = 'https://hr.example.com';
const responses = [200, 206, 301, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 503].map((status) => [
  `status ${status}`,
  { fetch: async () => new Response(status === 200 ? '{' : '[]', { status, headers: { location: '/' } }) },
]) as [string, Partial<HrClientOptions>][];

test.each<[string, Partial<HrClientOptions>]>([
  ...responses,
  ['no connection', { fetch: async () => await fetch('http://127.0.0.1:2') }],
  [
    'an untrusted certificate',
    {
      fetch: async () => {
        throw Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' });
      },
    },
  ],
  ['no response', { fetch: () => new Promise(() => undefined), attemptTimeout: 1 }],
  ['no time', { fetch: () => new Promise(() => undefined), timeout: 1 }],
  ['a late token', { auth: { getToken: () => new Promise(() => undefined), invalidate() {} }, timeout: 1 }],
  [
    'no token',
    {
      auth: clientCredentials({
        baseUrl,
        clientId: 'a',
        clientSecret: 'b',
        fetch: async () => new Response('', { status: 500 }),
        timeout: 100,
      }),
    },
  ],
])('a call that fails by %s names nothing that only a program has', async (_, options) => {
  const hr = createHrClient({ baseUrl, auth: staticToken('token'), retry: { limit: 0 }, ...options });
  const reads = await failure(hr.persons.list());
  const pays = await failure(
    hr.payroll.submitVariablePayment('1', {
      billingPeriod: '2026-01',
      compensationComponentId: 'a',
      amount: 1,
      idempotencyKey: 'k',
    }),
  );
  for (const message of [reads, pays]) {
    expect(message).not.toMatch(ofPrograms);
    expect(message).toMatch(/^\S.*[.)]$|: hr doctor$/);
  }
});

test.each([
  [{ clientId: 'ü' }, 'client id must be printable ASCII'],
  [{ clientSecret: '' }, 'client secret must be printable ASCII, not empty and trimmed.'],
  [{ baseUrl: 'ftp://x' }, 'base url must be an absolute'],
  [{ baseUrl: 'http://hr.example.com' }, 'unencrypted to hr.example.com. Use https.'],
])('a token provider with %j', async (options, expected) => {
  const provider = async () => clientCredentials({ baseUrl, clientId: 'a', clientSecret: 'b', ...options });
  const message = await failure(provider());
  expect(message.toLowerCase()).toContain(expected.toLowerCase());
  expect(message).not.toMatch(ofPrograms);
});

test.each([
  ['time bookings --from 2026-02-30', '--from must be a calendar date YYYY-MM-DD that exists.'],
  ['time bookings --from 2026-03-30 --to 2026-02-01', '--from must not be after --to.'],
  ['salary history 1000-20001 --from 2026-03 --to 2026-02', '--from must not be after --to.'],
  ['absences list --from 2026-03-30 --to 2026-02-01', '--from must not be after --to.'],
  ['salary history ..', '<contracts> must not be'],
  ['absences list 100001 --to 2026-02-30', '--to must be a'],
  ['absences list --from 2026-02-30', '--from must be a date YYYY-MM-DD, such as 2026-01-31.'],
  ['payments list 1000-20001 --period 2026-13', "option '--period <month>' argument '2026-13' is invalid."],
  [`persons list --name ${'x'.repeat(500)}`, '--name must have at most 400 characters.'],
  ['webhooks create nowhere', '<url> must be an https URL'],
  ['auth login --base-url http://hr.example.com/api/v1 --client-id a', '--base-url must not contain /api/v1'],
])('hr %s names what is wrong as it is written', async (line, expected) => {
  const ended = await runHr(line.split(' '), { env: demoEnvironment(await homeFolder()) });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr.slice(0, `hr: ${expected}`.length)).toBe(`hr: ${expected}`);
});

test('a local file that cannot be used', async () => {
  const home = await homeFolder();
  const file = join(home, 'mirror.db');
  openMirror({ file, source: 'a' }).close();
  const other = await failure((async () => openMirror({ file, source: 'b' }))());
  expect(other).toContain('run: hr auth login --profile <name>');
  const wrong = await failure((async () => openOutbox({ file, source: 'a' }))());
  expect(wrong).not.toMatch(ofPrograms);
});
