import { expect, test } from 'vitest';
import { budgetFaults } from '../src/budget-faults.ts';
import { budgets } from '../src/budgets.ts';
import { entryPoints } from '../src/published-packages.ts';

test('every entry point has a budget', () => {
  const whole = budgets.filter(({ name }) => name === undefined).map(({ from }) => from);
  expect(whole.toSorted()).toEqual(entryPoints.toSorted());
});

test.each(budgets.map((budget) => [budget.name ?? 'everything', budget.from, budget] as const))(
  '%s of %s keeps its budget and brings nothing else',
  async (_name, _from, budget) => {
    expect((await budgetFaults(budget)).join('\n')).toBe('');
  },
);
