import { contractKnown } from './variable-payments.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';

interface Months {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The salary history of a payroll contract by month, as a JSON array; `undefined` where the contract is unknown. */
export function listSalaryHistory(
  queries: Queries,
  payrollContractId: string,
  { from, to }: Months,
): Promise<JsonAnswer | undefined> {
  return knownList(queries, {
    known: contractKnown,
    elements: `
      select month as key, entry as element from salary_entry
      where payroll_contract_id = $1 and month >= coalesce($2, '') and month <= coalesce($3, '9999-12')`,
    values: [payrollContractId, from ?? null, to ?? null],
  });
}
