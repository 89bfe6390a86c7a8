import { readFile } from 'node:fs/promises';
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

test.each(['schemas', 'auth', 'client', 'testing'])('the README of @hr/%s tells its budgets', async (folder) => {
  const readme = await readFile(new URL(`../../../packages/${folder}/README.md`, import.meta.url), 'utf8');
  const told = Array.from(readme.matchAll(/`([^`\n]+)`[\s|]+([\d.]+)\skB/g), ([, what, kB]) => [what, Number(kB)]);
  const here = budgets.filter(({ from }) => from === `@hr/${folder}` || from.startsWith(`@hr/${folder}/`));
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(here.map(({ from, name = from, kB }) => [name, kB])));
});

test('what is too heavy says by how much, which modules are heaviest, and what to do', async () => {
  const brings = ['@hr/auth/*', 'oauth4webapi/**'];
  const [fault, ...modules] = await budgetFaults({ from: '@hr/auth', kB: 6, brings });
  expect(fault).toBe(
    '@hr/auth weighs 7.3 kB, and its budget is 6 kB. If that is worth it, raise it in tooling/weight/src/budgets.ts and the README. Its heaviest modules, before they are minified:',
  );
  expect(modules).toHaveLength(10);
  expect(modules[0]).toMatch(/^ {2}\d+\.\d kB oauth4webapi\/build\/index$/);
});

test('a budget far above the size is to be lowered', async () => {
  await expect(
    budgetFaults({ from: '@hr/auth', name: 'isAuthError', kB: 0.5, brings: ['@hr/auth/auth-error'] }),
  ).resolves.toEqual([
    'isAuthError of @hr/auth weighs 0.1 kB, and its budget is 0.5 kB. Lower it in tooling/weight/src/budgets.ts and the README.',
  ]);
});

test('what comes along unasked is named, also what is not in the bundle', async () => {
  await expect(
    budgetFaults({ from: '@hr/testing/pact/vitest', kB: 4, brings: ['@hr/testing/pact/**'] }),
  ).resolves.toEqual([
    '@hr/testing/pact/vitest brings @hr/testing/contract/provider-name, node:fs, node:os, node:path, node:util, vitest/config. If it has to, say so in tooling/weight/src/budgets.ts.',
  ]);
});
