import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Scope } from '../src/http/grant.ts';
import { DatabaseBusyError } from '../src/database/database-errors.ts';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { inForm, newToken, sendForm } from './oauth-form.ts';
import { sharedService, startService, type Answer, type TestService } from './service.ts';

const LIMIT = 20;
const persons = '/api/v1/persons';

const left = ({ headers }: Answer): number =>
  Number(/^"client";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe.each(anyDriver)('a limit of requests a minute on %s', (driver) => {
  const service = sharedService(driver, { HR_RATE_LIMIT: String(LIMIT) });
  let another: TestService;
  let token: string;

  beforeAll(async () => {
    // An embedded database has one process.
    const settings = { HR_DATABASE: service.databaseUrl, HR_RATE_LIMIT: String(LIMIT) };
    another = driver === 'pglite' ? service : await startService(driver, settings);
  });
  beforeEach(async () => {
    token = await tokenOf('api:use');
  });
  afterAll(async () => {
    if (another !== service) await another.stop();
  });

  const tokenOf = async (scope: Scope): Promise<string> => newToken(service, await service.client(scope));

  const ask = (path = persons, { method = 'GET', bearer = token, at = service } = {}): Promise<Answer> =>
    at.send(method, path, { headers: { authorization: `Bearer ${bearer}` } });

  async function useUp(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let count = 0; count < LIMIT; count++) expect((await ask()).status).toBe(200);
  }

  /** Lets so much time pass that so many seconds of every client's window are left. */
  const leave = (seconds: number): Promise<unknown> =>
    service.database.query('update rate_limit set window_start = clock_timestamp() - make_interval(secs => 60 - $1)', [
      seconds,
    ]);

  test('every answer tells it, and how many requests are left', async () => {
    const answers = [
      await ask(),
      await ask(`${persons}?what=`),
      await ask(persons, { method: 'PATCH' }),
      await ask('/api/v1/payrollContract/none/salaries/history'),
      await ask(`${persons}/nobody`, { method: 'PATCH' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 405, 404, 415]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(
      [1, 1, 0, 1, 1].map((counted) => (counted ? `"client";q=${LIMIT};w=60` : null)),
    );
    expect(answers.map(left)).toEqual([LIMIT - 1, LIMIT - 2, Number.NaN, LIMIT - 3, LIMIT - 4]);
  });

  test('one too many is refused with the time to wait, and after it is not', async () => {
    await useUp();
    const refused = await ask();
    expectProblem(refused, 'too-many-requests', { path: persons });
    const { 'retry-after': wait, ratelimit } = Object.fromEntries(refused.headers);
    expect(wait).toMatch(/^[1-9]\d?$/);
    expect(ratelimit).toBe(`"client";r=0;t=${wait}`);
    await leave(4);
    const later = await ask();
    expect([later.status, later.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-4]$/)]);
    await setTimeout(Number(later.headers.get('retry-after')) * 1000);
    const answered = await ask();
    expect([answered.status, left(answered)]).toEqual([200, LIMIT - 1]);
  });

  test('a window begins with the first request in it', async () => {
    expect(left(await ask())).toBe(LIMIT - 1);
    await leave(10);
    expect(left(await ask())).toBe(LIMIT - 2);
    await leave(0);
    const first = await ask();
    expect(first.headers.get('ratelimit')).toBe(`"client";r=${LIMIT - 1};t=60`);
  });

  test('of many requests at the same time to all processes, exactly as many as it says are answered', async () => {
    // No list, of which a client may read few at a time.
    const path = '/api/v1/payrollContract/none/variable-payments?billingPeriod=2026-01';
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(path, { at: index % 2 ? service : another })),
    );
    const answered = answers.filter(({ status }) => status === 404);
    expect(answered.map(left).toSorted((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, index) => index));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - LIMIT);
  });

  test('each client has its own, operators too', async () => {
    await useUp();
    expect((await ask()).status).toBe(429);
    expect(left(await ask(persons, { bearer: await tokenOf('api:use') }))).toBe(LIMIT - 1);
    const operator = await ask('/operator/v1/variable-payments', { bearer: await tokenOf('operator') });
    expect([operator.status, left(operator)]).toEqual([200, LIMIT - 1]);
  });

  test('what is not let in is not counted, and what is asked of tokens is counted apart', async () => {
    const strangers = [await ask(persons, { bearer: 'x' }), await ask('/operator/v1/variable-payments')];
    expect(strangers.map(({ status, headers }) => [status, headers.get('ratelimit')])).toEqual([
      [401, null],
      [403, null],
    ]);
    expect(left(await ask())).toBe(LIMIT - 1);
    const credentials = await service.client();
    let bearer = '';
    // oxlint-disable no-await-in-loop -- one after the other
    for (let count = 0; count < LIMIT; count++) bearer = await newToken(service, credentials);
    for (const endpoint of ['token', 'revoke', 'introspect'] as const) {
      const fields = { grant_type: 'client_credentials', ...inForm(credentials), token: bearer };
      const refused = await sendForm(service, endpoint, fields);
      // oxlint-enable no-await-in-loop
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    }
    expect(left(await ask(persons, { bearer }))).toBe(LIMIT - 1);
  });

  test('stands beside the limit of lists', async () => {
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(new DatabaseBusyError(7));
    const { status, headers } = await ask();
    expect([status, headers.get('retry-after'), headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
      429,
      '1',
      `"client";q=${LIMIT};w=60, "lists";q=7;qu="concurrent-requests"`,
      `"client";r=${LIMIT - 1};t=60, "lists";r=0;t=1`,
    ]);
  });
});

test('without the setting nothing is counted and nothing told', async () => {
  const service = await startService('postgres');
  const { status, headers } = await service.send('GET', persons);
  expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null]);
  expect(await service.database.query('select from rate_limit')).toEqual([]);
  await service.stop();
});
