/** Gives the person of the payroll contract `$1` where it has a payroll record, too: only then does the API know it. */
export const contractKnown =
  'select person_id from mapping join contract using (payroll_contract_id) where payroll_contract_id = $1';
