import type { ProviderState } from '@hr/testing/states';
import { having, ok, problem, when, type Case, type Cases } from './case.ts';

const path = '/api/v1/payrollContract/1-77/salaries/history';
const salary = (year: number, month: number): ProviderState => ['a salary', { payrollContractId: '1-77', year, month }];
const given = [salary(2026, 2), salary(2025, 12), salary(2026, 1), salary(2026, 10)];
const contract: ProviderState = ['a contract', { payrollContractId: '1-77' }];

function months(query: string, ...shown: readonly string[]): Case {
  const told = shown.map((month) => {
    const [year, number] = month.split('-').map(Number);
    return having({ payrollContractId: '1-77', year, month: number });
  });
  return when(given, ok(told), `GET ${path}${query}`);
}

/** The salary history (section 4.5). */
export const historyCases: Cases = {
  'is by month': months('', '2025-12', '2026-01', '2026-02', '2026-10'),
  'from a month on': months('?from=2026-01', '2026-01', '2026-02', '2026-10'),
  'up to a month': months('?to=2026-01', '2025-12', '2026-01'),
  'of one month': months('?from=2026-02&to=2026-02', '2026-02'),
  'of months without any': months('?from=2026-03&to=2026-09'),
  'of a contract without any': when([contract], ok([]), `GET ${path}`),
  'of an unknown contract': when([], problem('not-found'), `GET ${path}`),
};
