/** Finds a row, with the person, when the payroll contract `$1` has both a payroll record and a person: only then does the API know it. */
export const contractKnown =
  'select person_id from mapping join contract using (payroll_contract_id) where payroll_contract_id = $1';
