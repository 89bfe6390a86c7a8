import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyDriver } from './drivers.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const ID = 'ACME-0001/ä %2F';
const contract = `/api/v1/payrollContract/${encodeURIComponent(ID)}`;
const payments = `${contract}/variable-payments`;
const operatorPayments = '/operator/v1/variable-payments';
const salaries = ['2025-11', '2025-12', '2026-01', '2026-02'].map((month, index) => ({
  payrollContractId: ID,
  year: Number(month.slice(0, 4)),
  month: Number(month.slice(5)),
  totalSalary: 4000.5 + index,
  baseSalary: 4000,
  values: [{ compensationComponentId: 'BONUS', value: 0.1 }],
}));
const feed = [
  { kind: 'person', id: 'p-1', lastName: 'Eins' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: ID },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'only-mapped' },
  { kind: 'employment', payrollContractId: ID, masterCostCenter: 'K-7' },
  { kind: 'employment', payrollContractId: 'only-known' },
  ...salaries.toReversed().map((salary) => ({ kind: 'salary', ...salary })),
  { kind: 'salary', ...salaries[0], payrollContractId: 'only-mapped' },
];
const payment = { compensationComponentId: 'BONUS', amount: 250 };

interface Listed {
  readonly id: string;
}

describe.each(anyDriver)('payroll on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
    await load(service.database, feed);
  });
  afterAll(() => service.stop());

  const submit = (body: unknown, period = '2026-03') =>
    service.send('POST', `${payments}?billingPeriod=${period}`, { body });
  const operate = (method: string, path: string, body?: unknown) =>
    service.send(method, operatorPayments + path, { scope: 'operator', body });
  const approved = async (query = ''): Promise<unknown> => (await service.send('GET', payments + query)).body;
  const states = async (query: string): Promise<string[]> => {
    const { body } = await operate('GET', query);
    return [...new Set((body as { state: string }[]).map(({ state }) => state))].toSorted();
  };
  const newest = async (): Promise<string> =>
    ((await operate('GET', '')).body as Listed[]).at(-1)?.id ?? 'there is none';

  describe('the salary history', () => {
    test.each([
      ['', 0, 4],
      ['?from=2025-12', 1, 4],
      ['?to=2025-12', 0, 2],
      ['?from=2025-12&to=2026-01', 1, 3],
      ['?from=2026-02&to=2026-02', 3, 4],
      ['?from=2027-01', 4, 4],
    ])('%s has the months from %i to %i', async (query, from, to) => {
      expect(await service.send('GET', `${contract}/salaries/history${query}`)).toMatchObject({
        status: 200,
        body: salaries.slice(from, to),
      });
    });

    test.each(['only-mapped', 'only-known', 'nothing', '%2525'])('of contract %s is not found', async (id) => {
      for (const path of ['salaries/history', 'variable-payments']) {
        // oxlint-disable-next-line no-await-in-loop
        const { status } = await service.send('GET', `/api/v1/payrollContract/${id}/${path}`);
        expect(status).toBe(404);
      }
    });

    test.each([
      ['?from=2026-13', '/from'],
      ['?to=2026-1', '/to'],
      ['?from=2026-02&to=2026-01', '/from'],
      ['?from=', '/from'],
    ])('%s is refused', async (query, pointer) => {
      expect(await service.send('GET', `${contract}/salaries/history${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    });
  });

  describe('a variable payment', () => {
    test.each([
      ['an amount', { amount: 250 }],
      ['a reversal', { amount: -0.1 }],
      ['all values', { amount: 1e12, hours: 1.75, days: 0, hourlyFactor: 1.25, percentage: 1e-7 }],
      ['a correction period', { hours: 0.1 + 0.2, correctionPeriod: '2025-12' }],
    ])('with %s is answered as it was submitted', async (_, values) => {
      const { status, body } = await submit({ compensationComponentId: 'Ü 1', ...values });
      expect(status).toBe(200);
      expect(body).toEqual({
        payrollContractId: ID,
        billingPeriod: '2026-03',
        correctionPeriod: '2026-03',
        compensationComponentId: 'Ü 1',
        ...values,
      });
    });

    test.each([
      ['nothing', undefined, 415],
      ['no component', { amount: 1 }, '/compensationComponentId'],
      ['an empty component', { compensationComponentId: '', amount: 1 }, '/compensationComponentId'],
      ['no value', { compensationComponentId: 'B' }, ''],
      ['an amount as text', { ...payment, amount: '250' }, '/amount'],
      ['an infinite amount', '{"compensationComponentId":"B","amount":1e400}', '/amount'],
      ['an amount over 1e12', { ...payment, amount: 1e12 + 1 }, '/amount'],
      ['null', { ...payment, hours: null }, '/hours'],
      ['a contract', { ...payment, payrollContractId: ID }, '/payrollContractId'],
      ['a month 13', { ...payment, correctionPeriod: '2026-13' }, '/correctionPeriod'],
    ])('with %s is refused', async (_, body, wrong) => {
      expect(await submit(body)).toMatchObject(
        typeof wrong === 'number' ? { status: wrong } : { status: 400, body: { errors: [{ pointer: wrong }] } },
      );
    });

    test('without its billing period is refused, with everything else that is wrong', async () => {
      expect(await service.send('POST', `${payments}?period=2026-03`, { body: { amount: 'x' } })).toMatchObject({
        status: 400,
        body: {
          errors: [
            { pointer: '/period', code: 'unknown-name' },
            { pointer: '/billingPeriod', code: 'required' },
            { pointer: '/compensationComponentId', code: 'required' },
            { pointer: '/amount', code: 'wrong-type' },
          ],
        },
      });
    });

    test('for an unknown contract is not found', async () => {
      const path = '/api/v1/payrollContract/only-mapped/variable-payments?billingPeriod=2026-03';
      expect(await service.send('POST', path, { body: payment })).toMatchObject({ status: 404 });
    });

    test('is read back once an operator approves it, and not before', async () => {
      const before = (await approved()) as unknown[];
      const { body: submitted } = await submit(payment, '2026-04');
      expect(await approved()).toEqual(before);
      const id = await newest();
      expect(await operate('POST', `/${id}/approve`, { reason: 'Checked.' })).toMatchObject({
        status: 200,
        body: { id, state: 'approved', masterCostCenter: 'K-7', reason: 'Checked.', ...payment },
      });
      expect(await approved()).toEqual([...before, submitted]);
      expect(await approved('?billingPeriod=2026-04')).toEqual([submitted]);
      expect(await approved('?billingPeriod=2026-05')).toEqual([]);
    });

    test('that is rejected is never read back', async () => {
      await submit(payment, '2026-06');
      expect(await operate('POST', `/${await newest()}/reject`)).toMatchObject({
        status: 200,
        body: { state: 'rejected' },
      });
      expect(await approved('?billingPeriod=2026-06')).toEqual([]);
    });

    test('is decided once, also when two decide together', async () => {
      await submit(payment);
      const id = await newest();
      const decisions = await Promise.all(['approve', 'reject'].map((verb) => operate('POST', `/${id}/${verb}`, {})));
      expect(new Set(decisions.map(({ status }) => status))).toEqual(new Set([200, 409]));
      expect(await operate('POST', `/${id}/approve`)).toMatchObject({
        status: 409,
        body: { type: 'urn:hr-cloud:problem:already-decided' },
      });
    });
  });

  describe('an operator', () => {
    test('lists payments of a state or all', async () => {
      expect(await states('?state=submitted')).toEqual(['submitted']);
      expect(await states('')).toEqual(['approved', 'rejected', 'submitted']);
    });

    test.each([
      ['GET', '?state=open', undefined, 400],
      ['GET', '?states=submitted', undefined, 400],
      ['POST', '/x/approve', {}, 404],
      ['POST', '/01/approve', {}, 404],
      ['POST', '/9223372036854775807/approve', {}, 404],
      ['POST', '/9223372036854775808/approve', {}, 404],
      ['POST', '/99999999999999999999/reject', undefined, 404],
      ['POST', '/1/approve', { reason: '' }, 400],
      ['POST', '/1/approve', { reason: 'x'.repeat(1001) }, 400],
      ['POST', '/1/approve', { reason: 'a\0b' }, 400],
      ['POST', '/1/approve', { because: 'x' }, 400],
      ['POST', '/1/approve', [], 400],
      ['POST', '/1/approve?force=true', {}, 400],
      ['POST', '/1/decide', {}, 404],
      ['PATCH', '/1/approve', {}, 405],
    ])('who asks %s %s is answered as it deserves', async (method, path, body, status) => {
      expect((await operate(method, path, body)).status).toBe(status);
    });

    test('makes clients, who get tokens', async () => {
      const body = { name: 'Zeiterfassung', scope: 'api:use' };
      const made = await service.send('POST', '/operator/v1/clients', { scope: 'operator', body });
      expect(made).toMatchObject({ status: 200, body: { scope: 'api:use' } });
      const { clientId, clientSecret } = made.body as { clientId: string; clientSecret: string };
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      });
      const { status } = await fetch(`${service.baseUrl}/api/oauth2/token`, { method: 'POST', body: form });
      expect(status).toBe(200);
    });

    test.each([{}, { name: 'x' }, { name: '', scope: 'api:use' }, { name: 'x', scope: 'root' }, undefined])(
      'makes no client of %j',
      async (body) => {
        const { status } = await service.send('POST', '/operator/v1/clients', { scope: 'operator', body });
        expect(status).toBe(body ? 400 : 415);
      },
    );
  });
});
