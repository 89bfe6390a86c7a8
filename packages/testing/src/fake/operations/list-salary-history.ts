import { withinMonths } from '@hr/schemas/rules';
import { compareCodePoints } from '../compare-code-points.ts';
import { knownContract } from '../known-contract.ts';
import type { Handler } from './handler.ts';

export const listSalaryHistory: Handler<'listSalaryHistory'> = ({ store, path, query }) => {
  const contract = knownContract(store, path.contractId);
  if (!contract) return undefined;
  return [...contract.salaries]
    .filter(([month]) => withinMonths(month, query))
    .toSorted(([one], [other]) => compareCodePoints(one, other))
    .map(([, entry]) => entry);
};
