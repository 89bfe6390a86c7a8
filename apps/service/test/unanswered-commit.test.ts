import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseProxy } from './database-proxy.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { emptyDatabase } from './drivers.ts';
import { fetchWithoutWaits, newHrClient } from './hr-client.ts';
import { contractRecords, load, startService } from './service.ts';
import type { TestService } from './service.ts';

const path = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-03';
const bonus = { compensationComponentId: 'BONUS', amount: 250 };
const unknown = /may be stored or not\. Send it again with the same Idempotency-Key, or look what is stored first\.$/;

describe('a connection to PostgreSQL that breaks', () => {
  let proxy: DatabaseProxy;
  let service: TestService;
  let before: number;

  const payments = async (): Promise<number> => (await service.database.query('select from variable_payment')).length;

  beforeAll(async () => {
    const { url, remove } = await emptyDatabase('postgres');
    proxy = await databaseProxy(url);
    service = await startService('postgres', { HR_DATABASE: proxy.url });
    await load(service.database, contractRecords());
    await service.token();
    return async () => {
      await service.stop();
      await proxy.close();
      await remove();
    };
  });
  beforeEach(async () => {
    before = await payments();
  });

  test.each([
    ['after the commit', { at: 'commit', arrives: true }, unknown, 1],
    ['before the commit', { at: 'commit', arrives: false }, unknown, 0],
    ['in the middle of the change', { at: 'insert into variable_payment', arrives: true }, /in a moment\.$/, 0],
  ])('%s is told, with what is known of the change', async (_, cut, detail, stored) => {
    proxy.cutAt(cut);
    const answer = await service.send('POST', path, { body: bonus });
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringMatching(detail) as string } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await payments()).toBe(before + stored);
  });

  test.each([true, false])('is no matter to a client with a key; that the commit arrives is %s', async (arrives) => {
    const hr = await newHrClient(service, { retry: { maxDelay: 10 }, fetch: fetchWithoutWaits });
    const payment = { ...bonus, billingPeriod: '2026-03', idempotencyKey: `arrives-${arrives}` };
    // What comes before is not to break.
    await hr.persons.list();
    proxy.cutAt({ at: 'commit', arrives });
    expect(await hr.payroll.submitVariablePayment('c-1', payment)).toMatchObject(bonus);
    expect(await payments()).toBe(before + 1);
  });
});
