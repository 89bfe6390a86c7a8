import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';
import type { Database, Queries } from 'service/src/database/database.ts';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import { importFeed } from 'service/src/feed/import-feed.ts';

/** So many persons are imported; all others are copies of them. */
const TEMPLATES = 100;

/** Salaries of 24 months and about 20 absences. */
export const templates = [...company({ persons: TEMPLATES, months: 27, timeDays: 5 })];

const contract = `'"payrollContractId":"', '"payrollContractId":"' || prefix`;
const person = `'"personId":"', '"personId":"' || prefix`;
const id = `'^\\{"id":"', '{"id":"' || prefix`;

/** The columns of copied rows that differ from their template. */
const persons = {
  source_document: {
    person_id: 'prefix || person_id',
    document: `case kind when 'person' then regexp_replace(document, ${id}) else document end`,
  },
  contract: {
    payroll_contract_id: 'prefix || payroll_contract_id',
    employment: `replace(employment, ${contract})`,
  },
  mapping: { payroll_contract_id: 'prefix || payroll_contract_id', person_id: 'prefix || person_id' },
  person_view: {
    person_id: 'prefix || person_id',
    head: `regexp_replace(head, ${id})`,
    master: `replace(master, '"payrollContractIds":["', '"payrollContractIds":["' || prefix)`,
    payroll: `replace(payroll, ${contract})`,
  },
};

const histories = {
  salary_entry: {
    payroll_contract_id: 'prefix || payroll_contract_id',
    entry: `replace(entry, ${contract})`,
  },
  absence: {
    id: 'prefix || id',
    person_id: 'prefix || person_id',
    absence: `replace(regexp_replace(absence, ${id}), ${person})`,
  },
  time_account: { person_id: 'prefix || person_id' },
  time_day: { person_id: 'prefix || person_id' },
};

interface Company {
  readonly persons: number;
  readonly histories: boolean;
}

/** Fills an empty database with persons whose last change was a month ago. Rows lie in the order of their ids. */
export async function loadCompany(database: Database, size: Company): Promise<void> {
  const feed = templates.flatMap(demoRecords).map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
  await importFeed(database, [{ name: 'templates', bytes: Readable.from(feed) }]);
  await database.query(`update change_set set changed_at = now() - interval '30 days'`);
  const copies = Math.ceil(size.persons / TEMPLATES) - 1;
  for (const [table, changed] of Object.entries({ ...persons, ...(size.histories && histories) })) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other needs the least memory
    await fillTable(database, table, (transaction) => copyTemplates(transaction, table, changed, copies));
  }
  await database.vacuum();
}

/** Inserts many rows into a table, whose secondary indexes are built afterwards. */
export async function fillTable(
  database: Database,
  table: string,
  insert: (transaction: Queries) => Promise<unknown>,
): Promise<void> {
  await database.transaction(
    async (transaction) => {
      const indexes = await transaction.query<{ name: string; definition: string }>(
        // Of a partitioned table, the definition would leave out the partitions.
        `select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes where tablename = $1 and indexname <> $2`,
        [table, `${table}_pkey`],
      );
      await transaction.query(indexes.map(({ name }) => `drop index ${name};`).join(''));
      await insert(transaction);
      await transaction.query(indexes.map(({ definition }) => `${definition};`).join(''));
    },
    { long: true },
  );
}

async function copyTemplates(
  transaction: Queries,
  table: string,
  changed: Readonly<Record<string, string>>,
  copies: number,
): Promise<void> {
  const columns = await transaction.query<{ name: string }>(
    'select column_name::text as name from information_schema.columns where table_name = $1 order by ordinal_position',
    [table],
  );
  const names = columns.map(({ name }) => name);
  await transaction.query(
    `insert into ${table} (${names.join(', ')})
    select ${names.map((name) => changed[name] ?? name).join(', ')}
    from (select lpad(copy::text, 6, '0') || '-' as prefix from generate_series(1, ${copies}) as copy) as copies
    cross join (select * from ${table} order by 1 offset 0) as template order by 1`,
  );
}
