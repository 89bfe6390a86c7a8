import { clientCredentials } from '@hr/auth';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHrClient } from '../src/index.ts';
import { openOutbox } from '../src/mirror/index.ts';
import { newFile } from './mirror-cloud.ts';

const contract = '1000-20001';
let demo: Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

interface OperatorPayment {
  readonly id: string;
  readonly amount?: number;
}

async function operate(path: string, body?: object): Promise<unknown> {
  const { url: baseUrl } = demo;
  const operator = { clientId: 'operator', clientSecret: 'operator-secret', scope: 'operator' };
  const { value } = await clientCredentials({ baseUrl, ...operator }).getToken();
  const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${baseUrl}/operator/v1/variable-payments${path}`, init);
  expect(response.status).toBe(200);
  return response.json();
}

async function decide(amount: number, decision: 'approve' | 'reject', reason: string): Promise<void> {
  const payments = (await operate('?state=submitted')) as OperatorPayment[];
  const payment = payments.find((each) => each.amount === amount);
  await operate(`/${payment?.id}/${decision}`, { reason });
}

test('after lost responses and decisions of the service, each payment of the outbox is what was decided', async () => {
  const { url: baseUrl } = demo;
  const auth = clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' });
  let isLost = false;
  const hr = createHrClient({
    baseUrl,
    auth,
    retry: { limit: 0 },
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (isLost) throw new TypeError('fetch failed');
      return response;
    },
  });
  using outbox = openOutbox({ file: newFile(), source: baseUrl });
  const submit = (amount: number) =>
    outbox.submit(hr, contract, { billingPeriod: '2026-12', compensationComponentId: 'OUTBOX', amount });
  isLost = true;
  const first = await submit(1.1);
  isLost = false;
  const second = await submit(2.2);
  const third = await submit(3.3);
  expect([first.state, second.state]).toEqual(['unknown', 'sent']);

  const { cursor } = await hr.changes.get();
  await decide(1.1, 'reject', 'Already paid.');
  expect(await hr.changes.get({ after: cursor, wait: 30 })).toMatchObject({ changed: ['decisions'] });
  expect(await outbox.reconcile(hr)).toMatchObject({ approved: 0, rejected: 1, open: 2, withoutDecisions: undefined });
  await decide(2.2, 'approve', 'As agreed.');
  expect(await outbox.reconcile(hr)).toMatchObject({ approved: 1, rejected: 0, open: 1 });
  expect([...outbox.entries()]).toMatchObject([
    { id: first.id, state: 'rejected', reason: 'Already paid.', decidedAt: expect.stringMatching(/^2\d{3}-/) },
    { id: second.id, state: 'approved', reason: 'As agreed.' },
    { id: third.id, state: 'sent', decidedAt: undefined },
  ]);
});
