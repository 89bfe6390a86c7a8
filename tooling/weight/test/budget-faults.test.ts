import { expect, test } from 'vitest';
import { budgetFaults } from '../src/budget-faults.ts';

const table = 'tooling/weight/src/budgets.ts';

test('what is too heavy says by how much, what it is made of, and what to do', async () => {
  const brings = ['@hr/auth/*', 'oauth4webapi/**'];
  const faults = await budgetFaults({ from: '@hr/auth', kB: 6, brings });
  expect(faults.join('\n').split('\n')).toEqual([
    `@hr/auth weighs 7.3 kB, and its budget is 6 kB. If that is worth it, raise it in ${table} and the README.`,
    'Before it is minified it holds',
    expect.stringMatching(/^ {2}\d+\.\d kB of oauth4webapi: build\/index \d+\.\d$/),
    expect.stringMatching(
      /^ {2}\d+\.\d kB of @hr\/auth: token-request \d+\.\d, (?:[\w-]+ \d+\.\d, ){6}[\w-]+ \d+\.\d$/,
    ),
  ]);
});

test('a budget far above what it is for is to be lowered', async () => {
  const brings = ['@hr/auth/auth-error'];
  await expect(budgetFaults({ from: '@hr/auth', name: 'isAuthError', kB: 0.5, brings })).resolves.toEqual([
    `isAuthError of @hr/auth weighs 0.1 kB, and its budget is 0.5 kB. Lower it in ${table} and the README.`,
  ]);
});

test('what comes along unasked is named, also what is not in the bundle', async () => {
  await expect(
    budgetFaults({ from: '@hr/testing/pact/vitest', kB: 4, brings: ['@hr/testing/pact/**'] }),
  ).resolves.toEqual([
    `@hr/testing/pact/vitest brings @hr/testing/contract/provider-name, node:fs, node:os, node:path, node:util, vitest/config. If it has to, say so in ${table}.`,
  ]);
});
