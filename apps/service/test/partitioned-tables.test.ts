import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { contractRecords, load, startService } from './service.ts';

const contracts = Array.from({ length: 20 }, (_, index) => `c-${index}`);
const feed = contracts.flatMap((payrollContractId, index) => [
  ...contractRecords(`p-${index}`, payrollContractId),
  { kind: 'timeDay', personId: `p-${index}`, date: '2026-03-02', bookings: [] },
  ...Array.from({ length: 12 }, (__, month) => ({ kind: 'salary', payrollContractId, year: 2026, month: month + 1 })),
]);

test('the tables of salaries and days can be partitioned', async () => {
  const service = await startService('postgres');
  onTestFinished(() => service.stop());
  await load(service.database, feed);
  const readAll = async (): Promise<unknown[]> => {
    const histories = contracts.map((contract) => `payrollContract/${contract}/salaries/history`);
    const answers = [...histories, 'time-bookings'].map((path) => service.send('GET', `/api/v1/${path}`));
    return (await Promise.all(answers)).map(({ status, body }) => ({ status, body }));
  };
  const page = await readFile(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');
  const [, salaries = ''] = /```sql\n(begin;[^`]+)```/.exec(page) ?? [];
  const before = await readAll();
  await service.database.query(salaries);
  await service.database.query(
    salaries.replaceAll('salary_entry', 'time_day').replace('payroll_contract_id', 'person_id'),
  );
  expect(await readAll()).toEqual(before);
  expect(await service.database.query('select distinct tableoid from salary_entry')).toHaveLength(4);

  await load(service.database, [
    ...feed,
    { kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 2, totalSalary: 2 },
    { kind: 'deleteSalary', payrollContractId: 'c-2', year: 2026, month: 3 },
    { kind: 'deleteTimeDay', personId: 'p-3', date: '2026-03-02' },
  ]);
  const after = await readAll();
  const changed = after.flatMap((each, index) => (isDeepStrictEqual(each, before[index]) ? [] : [index]));
  expect(changed).toEqual([1, 2, contracts.length]);
});
