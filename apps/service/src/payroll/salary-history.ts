import type { Query } from '@hr/schemas';
import { contractKnown } from './variable-payments.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import type { List } from '../database/list.ts';
import { sql } from '../database/sql.ts';

/** The salary history of a payroll contract by month, as a JSON array; `undefined` where the contract is unknown. */
export function listSalaryHistory(
  queries: Queries,
  payrollContractId: string,
  { from = '', to = '9999-12' }: Query<'listSalaryHistory'>,
): Promise<JsonAnswer | undefined> {
  return knownList(queries, {
    known: contractKnown(payrollContractId),
    elements: sql`
      select month as key, entry as element from salary_entry
      where payroll_contract_id = ${payrollContractId} and month >= ${from} and month <= ${to}`,
  });
}

/** The salary history of all payroll contracts by contract and month; each row has those of a contract. */
export function allSalaries({ from = '', to = '9999-12' }: Query<'listAllSalaries'>): List {
  return [
    sql`select payroll_contract_id as key, entries as element
      from contract cross join lateral (
        select string_agg(entry, E',\\n' order by month) as entries from salary_entry
        where salary_entry.payroll_contract_id = contract.payroll_contract_id and month >= ${from} and month <= ${to}
      ) as salary
      where entries is not null
        and exists (select from mapping where mapping.payroll_contract_id = contract.payroll_contract_id)`,
  ];
}
