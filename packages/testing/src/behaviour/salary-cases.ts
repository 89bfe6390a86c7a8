import type { ProviderState } from '../states/provider-states.ts';
import { decided, having, ok, problem, when, type Case, type Cases } from './behaviour-case.ts';

const path = '/api/v1/payrollContract/1-77/salaries/history';
const salary = (year: number, month: number): ProviderState => ['a salary', { payrollContractId: '1-77', year, month }];
const given = [salary(2026, 2), salary(2025, 12), salary(2026, 1), salary(2026, 10)];

function months(query: string, ...shown: readonly string[]): Case {
  const entries = shown.map((each) => {
    const [year, month] = each.split('-').map(Number);
    return having({ payrollContractId: '1-77', year, month });
  });
  return when(given, ok(entries), `GET ${path}${query}`);
}
const all = months('', '2025-12', '2026-01', '2026-02', '2026-10');

/** The salary history (section 4.5). */
export const salaryCases: Cases = {
  'the salary history has all months of the contract': all,
  'the salary history can begin with a month': months('?from=2026-01', '2026-01', '2026-02', '2026-10'),
  'the salary history can end with a month': months('?to=2026-01', '2025-12', '2026-01'),
  'the salary history can be of one month': months('?from=2026-02&to=2026-02', '2026-02'),
  'the salary history of months without a salary is empty': months('?from=2026-03&to=2026-09'),
  'the salary history of a contract without salaries is empty': when(
    [['a contract', { payrollContractId: '1-77' }]],
    ok([]),
    `GET ${path}`,
  ),
  ...decided({
    'the salary history is sorted by month': all,
    'the salary history of an unknown contract is not found': when([], problem('not-found'), `GET ${path}`),
  }),
};
