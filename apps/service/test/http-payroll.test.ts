import { describe, expect, test } from 'vitest';
import { anyDriver } from './drivers.ts';
import { sharedService } from './service.ts';

const payments = '/api/v1/payrollContract/c-1/variable-payments';
const feed = [
  { kind: 'person', id: 'p-1', lastName: 'Eins' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'only-mapped' },
  { kind: 'employment', payrollContractId: 'c-1', masterCostCenter: 'K-7' },
  { kind: 'employment', payrollContractId: 'only-known' },
  { kind: 'salary', payrollContractId: 'only-mapped', year: 2026, month: 1, totalSalary: 4000 },
];
const payment = { compensationComponentId: 'BONUS', amount: 250 };

// What lists and submissions answer is in test/behaviour.
describe.each(anyDriver)('payroll on %s', (driver) => {
  const service = sharedService(driver, {}, feed);

  const operate = (method: string, path: string, body?: unknown) =>
    service.send(method, `/operator/v1/variable-payments${path}`, { scope: 'operator', body });
  const approved = async (query = ''): Promise<unknown> => (await service.send('GET', payments + query)).body;

  /** Submits a payment; its id, as operators see it, and the answer. */
  async function submit(period: string): Promise<{ id: string; submitted: unknown }> {
    const { body } = await service.send('POST', `${payments}?billingPeriod=${period}`, { body: payment });
    const newest = (await operate('GET', '?last=1')).body as { id: string }[];
    return { id: String(newest[0]?.id), submitted: body };
  }

  test.each(['only-mapped', 'only-known'])('nothing of the contract %s is found', async (id) => {
    for (const [method, path] of [
      ['GET', 'salaries/history'],
      ['GET', 'variable-payments'],
      ['POST', 'variable-payments?billingPeriod=2026-03'],
    ] as const) {
      const body = method === 'POST' ? payment : undefined;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await service.send(method, `/api/v1/payrollContract/${id}/${path}`, { body })).status).toBe(404);
    }
  });

  test('a payment is read once an operator approves it, and neither before nor after a rejection', async () => {
    const { id, submitted } = await submit('2026-04');
    expect(await approved()).toEqual([]);
    expect(await operate('POST', `/${id}/approve`, { reason: 'Checked.' })).toMatchObject({
      status: 200,
      body: { id, state: 'approved', masterCostCenter: 'K-7', reason: 'Checked.', ...payment },
    });
    const other = await submit('2026-06');
    const { status, body } = await operate('POST', `/${other.id}/reject`);
    expect([status, body]).toMatchObject([200, { state: 'rejected' }]);
    expect(await approved()).toEqual([submitted]);
    expect(await approved('?billingPeriod=2026-06')).toEqual([]);
  });

  test('a payment is decided once, also when two decide together', async () => {
    const { id } = await submit('2026-03');
    const decisions = await Promise.all(['approve', 'reject'].map((verb) => operate('POST', `/${id}/${verb}`, {})));
    expect(new Set(decisions.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test.each(['x', '01', '9223372036854775807', '9223372036854775808', '99999999999999999999'])(
    'there is no payment %s to decide on',
    async (id) => {
      expect((await operate('POST', `/${id}/approve`, {})).status).toBe(404);
    },
  );

  test.each(['', 'x'.repeat(1001), 'a\0b'])('no payment is decided for the reason "%.20s"', async (reason) => {
    expect((await operate('POST', '/1/approve', { reason })).status).toBe(400);
  });
});
