import type { ProviderState } from '@hr/testing/states';
import { having, ok, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const path = '/api/v1/payrollContract/1-77/salaries/history';
const salary = (year: number, month: number): ProviderState => ['a salary', { payrollContractId: '1-77', year, month }];
const given = [salary(2026, 2), salary(2025, 12), salary(2026, 1), salary(2026, 10)];

function months(query: string, ...shown: readonly string[]): Case {
  const told = ok(
    shown.map((month) => {
      const [year, number] = month.split('-').map(Number);
      return having({ payrollContractId: '1-77', year, month: number });
    }),
  );
  return { given, asks: [`GET ${path}${query}`], told };
}

/** The salary history (section 4.5). */
export const historyCases: Cases = {
  'is by month': months('', '2025-12', '2026-01', '2026-02', '2026-10'),
  'from a month on': months('?from=2026-01', '2026-01', '2026-02', '2026-10'),
  'up to a month': months('?to=2026-01', '2025-12', '2026-01'),
  'of one month': months('?from=2026-02&to=2026-02', '2026-02'),
  'of months without any': months('?from=2026-03&to=2026-09'),
  'of a contract without any': {
    given: [['a contract', { payrollContractId: '1-77' }]],
    asks: [`GET ${path}`],
    told: ok([]),
  },
  'of an unknown contract': { asks: [`GET ${path}`], told: problem('not-found') },
  'of a period that ends before it begins': {
    asks: [`GET ${path}?from=2026-02&to=2026-01`],
    told: problem('invalid-request', '/from rule'),
  },
  'of a month that does not exist': {
    asks: [`GET ${path}?from=2026-00&to=2026-1`],
    told: problem('invalid-request', '/from wrong-format', '/to wrong-format'),
  },
};
