import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personalData } from '../src/erasure/personal-data.ts';
import { anyDriver } from './drivers.ts';
import { feedDatabase } from './feed.ts';
import type { FeedDatabase } from './feed.ts';

/** Columns that an export needs not show, by what shows the same: whom it is about, another column, or nothing but a hash. */
const shownOtherwise: Readonly<Record<string, readonly string[]>> = {
  person_view: ['person_id', 'master_absent', 'payroll_absent', 'time_absent', 'custom_names'],
  source_document: ['person_id'],
  person_patch: ['person_id'],
  mapping: ['person_id'],
  gone_person: ['person_id'],
  former_mapping: ['person_id'],
  variable_payment: ['person_id'],
  time_account: ['person_id'],
  time_day: ['person_id'],
  absence: ['person_id', 'start_date', 'end_date'],
  moved_absence: ['person_id'],
  salary_entry: ['payroll_contract_id', 'month'],
  contract: ['payroll_contract_id', 'start_date'],
  idempotency_key: ['key_hash'],
  tombstone: ['person_id'],
};

describe.each(anyDriver)('an export on %s', (driver) => {
  let feed: FeedDatabase;

  beforeAll(async () => {
    feed = await feedDatabase(driver);
  });
  afterAll(() => feed.remove());

  test.each(Object.values(personalData).map(({ table, element }) => [table, element]))(
    'shows every column of %s',
    async (table, element) => {
      const columns = await feed.database.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
        [table],
      );
      const names = columns.map(({ name }) => name);
      const missing = names.filter((name) => !new RegExp(`\\b${name}\\b(?!')`).test(element));
      expect(missing.toSorted()).toEqual((shownOtherwise[table] ?? []).toSorted());
    },
  );
});
