import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const MONTHS = 12;
const contracts = Array.from({ length: 20 }, (_, index) => `c-${index}`);
const feed = contracts.flatMap((payrollContractId, index) => [
  { kind: 'person', id: `p-${index}` },
  { kind: 'mapping', personId: `p-${index}`, payrollContractId },
  { kind: 'employment', payrollContractId },
  { kind: 'timeDay', personId: `p-${index}`, date: '2026-03-02', bookings: [] },
  ...Array.from({ length: MONTHS }, (__, month) => ({
    kind: 'salary',
    payrollContractId,
    year: 2026,
    month: month + 1,
  })),
]);

let service: TestService;

beforeAll(async () => {
  service = await startService('postgres');
  await load(service.database, feed);
});
afterAll(() => service.stop());

async function readAll(): Promise<unknown[]> {
  const histories = contracts.map((contract) =>
    service.send('GET', `/api/v1/payrollContract/${contract}/salaries/history`),
  );
  const answers = await Promise.all([...histories, service.send('GET', '/api/v1/time-bookings')]);
  return answers.map(({ status, body }) => ({ status, body }));
}

test('the tables of salaries and days can be partitioned', async () => {
  const page = await readFile(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');
  const [, salaries = ''] = /```sql\n(begin;[^`]+)```/.exec(page) ?? [];
  const before = await readAll();
  await service.database.query(salaries);
  await service.database.query(
    salaries.replaceAll('salary_entry', 'time_day').replace('payroll_contract_id', 'person_id'),
  );
  expect(await readAll()).toEqual(before);
  const partitions = await service.database.query<{ rows: number }>(
    `select count(*)::int as rows from salary_entry group by tableoid`,
  );
  expect(partitions).toHaveLength(4);

  await load(service.database, [
    ...feed,
    { kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 2, totalSalary: 2 },
    { kind: 'deleteSalary', payrollContractId: 'c-2', year: 2026, month: 3 },
    { kind: 'deleteTimeDay', personId: 'p-3', date: '2026-03-02' },
  ]);
  const after = await readAll();
  expect(after).toHaveLength(before.length);
  const changed = after.flatMap((each, index) =>
    JSON.stringify(each) === JSON.stringify(before[index]) ? [] : [index],
  );
  expect(changed).toEqual([1, 2, contracts.length]);
});
