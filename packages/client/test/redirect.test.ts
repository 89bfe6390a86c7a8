import { expect, test } from 'vitest';
import { clientOf, json, raw, service } from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const hiding = async () => Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
const following = (url: string, init: RequestInit) => fetch(url, { ...init, redirect: 'follow' });
const paid = { payrollContractId: '1-2', correctionPeriod: '2026-01', ...bonus };

test.each([300, 301, 302, 303, 304, 307, 308])(
  '%i is an error, and nothing is sent to the other address',
  async (status) => {
    await using elsewhere = await service(json(paid));
    await using api = await service(raw('', status, { location: `${elsewhere.url}/` }));
    const { persons, payroll } = clientOf(api);
    const facts = { name: 'HrError', code: 'redirected', status, attempts: 1 };
    await expect(persons.list()).rejects.toMatchObject(facts);
    await expect(payroll.submitVariablePayment('1-2', bonus)).rejects.toMatchObject({ ...facts, outcome: 'unknown' });
    expect(elsewhere.requests).toHaveLength(0);
  },
);

test("a browser's hidden redirect is an error", async () => {
  const call = clientOf({ url: 'https://hr.example.com' }, { fetch: hiding }).persons.list();
  await expect(call).rejects.toMatchObject({ code: 'redirected', status: undefined, attempts: 1 });
});

test('a fetch that follows redirects is caught', async () => {
  await using elsewhere = await service(json(paid));
  await using api = await service(raw('', 302, { location: elsewhere.url }));
  const call = clientOf(api, { fetch: following }).payroll.submitVariablePayment('1-2', bonus);
  await expect(call).rejects.toMatchObject({ code: 'redirected', outcome: 'unknown' });
});
