import { salaryHistory } from '../../database/salaries.ts';
import type { Handler } from '../handler.ts';

export const listSalaryHistory: Handler<'listSalaryHistory'> = ({ database, path, query }) =>
  salaryHistory(database, path.contractId, query);
