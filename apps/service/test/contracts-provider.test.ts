import { scenarioOf } from '@hr/testing/states';
import type { ProviderState } from '@hr/testing/states';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/database/open-database.ts';
import type { DatabaseUrl } from '../src/database/open-database.ts';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import type { ProviderUnderTest } from './contracts/provider-under-test.ts';
import { drivers, emptyDatabase } from './drivers.ts';
import { storePatch } from './feed.ts';

const everything: readonly ProviderState[] = [
  ['a person', { id: '4711' }],
  ['a contract', { payrollContractId: '1-77', personId: '4711' }],
  ['a salary', { payrollContractId: '1-77', year: 2026, month: 1 }],
  ['an approved payment', { payrollContractId: '1-77', billingPeriod: '2026-01' }],
  [
    'a payment submitted with a key',
    {
      idempotencyKey: 'run-1',
      payrollContractId: '1-77',
      billingPeriod: '2026-01',
      payment: { compensationComponentId: 'BONUS', amount: 1 },
    },
  ],
  ['a day of time bookings', { personId: '4711', date: '2026-01-02' }],
  ['an absence', { personId: '4711' }],
  ['an API client', { clientId: 'other', clientSecret: 'secret' }],
  ['a person who changed', { id: '4711', systems: ['time'], since: '2026-01-01' }],
  ['an erased person', { id: '4712' }],
  ['a deleted person', { id: '4713' }],
  ['a deleted day of time bookings', { personId: '4711', date: '2026-01-03' }],
  ['a deleted absence', { personId: '4711', id: '9' }],
  ['a used-up rate limit'],
];

describe.each(drivers)('the provider under test on %s', (driver) => {
  let provider: ProviderUnderTest;
  let url: DatabaseUrl;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    ({ url, remove } = await emptyDatabase(driver));
    provider = await startProviderUnderTest(url);
  });
  afterAll(async () => {
    await provider.stop();
    await remove();
  });

  async function ask(path: string, token = provider.token()): Promise<{ status: number; body: unknown }> {
    const headers = { authorization: `Bearer ${await token}` };
    const response = await fetch(provider.url + path, { headers });
    return { status: response.status, body: await response.json() };
  }

  test('is as a scenario says, and then as the next one does', async () => {
    await provider.load(scenarioOf(everything));
    expect(await ask('/api/v1/persons')).toMatchObject({ status: 429 });

    await provider.load(scenarioOf([['an unavailable service']]));
    expect(await ask('/api/v1/persons')).toMatchObject({ status: 503 });

    await provider.load(scenarioOf([['an outdated time component', { version: '63.11.9' }]]));
    expect(await ask('/api/v1/time-bookings')).toMatchObject({ status: 409, body: { installed: '63.11.9' } });

    await provider.load(scenarioOf([['a person', { id: '4711', lastName: 'Ek' }]]));
    expect(await ask('/api/v1/time-bookings')).toEqual({ status: 200, body: [] });
    expect(await ask('/api/v1/persons')).toMatchObject({ status: 200, body: [{ id: '4711', lastName: 'Ek' }] });
    expect(await ask('/api/v1/persons', provider.tokenWithoutScope())).toMatchObject({ status: 403 });
  });

  test('shows the custom fields of the next scenario, however soon it comes', async () => {
    for (const name of ['one', 'other']) {
      const customFields = [{ name, type: 'BOOLEAN' as const, booleanValue: true }];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await provider.load(scenarioOf([['a person', { id: '4711', customFields }]]));
      // oxlint-disable-next-line no-await-in-loop
      expect(await ask('/api/v1/persons')).toMatchObject({ body: [{ customFields }] });
    }
  });

  test.runIf(driver === 'postgres')(
    'holds nothing after a reset but its own clients, their tokens and the audit',
    async () => {
      await provider.load(scenarioOf(everything));
      const database = await openDatabase(url);
      await storePatch(database, '4711', { addresses: [] });
      await database.query(`update absence set person_id = '4714' where absence is not null`);
      await database.query(`insert into client_maker values ('other', 'other');
        insert into change_history values ('2001-01-01');
        update mapping set person_id = '4714'`);
      const rows = async (): Promise<Record<string, number>> => {
        const counted = await database.query<{ name: string; count: number }>(
          `select relname as name, (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || relname, false, true, '')))[1]::text::int as count
        from pg_class where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
        );
        return Object.fromEntries(counted.map(({ name, count }) => [name, count]));
      };
      const before = await rows();
      expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
      await provider.reset();
      const { migration: _migration, ...left } = await rows();
      expect(Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0))).toEqual({
        access_token: 2,
        api_client: 2,
        client_custom_field: expect.any(Number) as number,
        client_secret: 2,
        credential_key: 1,
      });
      await database.close();
    },
  );
});
