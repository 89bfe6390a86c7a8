import { scenarioOf } from '@hr/testing/states';
import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/database/open-database.ts';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import { emptyDatabase } from './drivers.ts';
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

// That it is as a scenario says, and then as the next one does, is in behaviour.test.ts.
test('the provider under test holds nothing after a reset but its own clients, their tokens and the audit', async () => {
  const { url, remove } = await emptyDatabase('postgres');
  const provider = await startProviderUnderTest(url);
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
  expect(Object.entries(await rows()).filter(([, count]) => count === 0)).toEqual([]);
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
  await provider.stop();
  await remove();
});
