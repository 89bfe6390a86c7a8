import type { Given, ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { contractId, otherPayment, otherSalary, payment, salary, values } from './records.ts';

const { billingPeriod, correctionPeriod, compensationComponentId } = payment;
const path = { contractId };

test('a payment with all that can be paid', async () => {
  const body = { correctionPeriod, compensationComponentId, ...values };
  const interaction = contract.interaction('submitVariablePayment', {
    given: ['a contract', { payrollContractId: contractId }],
    request: { path, query: { billingPeriod }, body },
    example: payment,
  });
  await interaction.run(async (cloud) => {
    const submitted = clientFor(cloud).payroll.submitVariablePayment(contractId, { billingPeriod, ...body });
    await expect(submitted).resolves.toEqual(payment);
  });
});

const reversal = { compensationComponentId, amount: -250.5 };
const { hours: _hours, days: _days, hourlyFactor: _hourlyFactor, percentage: _percentage, ...byAmount } = payment;
const answer = { ...byAmount, correctionPeriod: billingPeriod, amount: reversal.amount };

test('a payment back, in the month in which it is billed', async () => {
  const interaction = contract.interaction('submitVariablePayment', {
    description: 'submitVariablePayment: 200 to a reversal',
    given: ['a contract', { payrollContractId: contractId }],
    request: { path, query: { billingPeriod }, body: reversal },
    example: answer,
  });
  await interaction.run(async (cloud) => {
    const submitted = clientFor(cloud).payroll.submitVariablePayment(contractId, { billingPeriod, ...reversal });
    await expect(submitted).resolves.toEqual(answer);
  });
});

const idempotencyKey = 'run-7/42';

test.each([
  ['a new key', ['a contract', { payrollContractId: contractId }]],
  [
    'the key of the same payment',
    [
      'a payment submitted with a key',
      { idempotencyKey, payrollContractId: contractId, billingPeriod, payment: reversal },
    ],
  ],
] as const)('a payment with %s', async (name, given) => {
  const interaction = contract.interaction('submitVariablePayment', {
    description: `submitVariablePayment: 200 with ${name}`,
    given,
    request: { path, query: { billingPeriod }, body: reversal, idempotencyKey },
    example: answer,
  });
  await interaction.run(async (cloud) => {
    const submission = { billingPeriod, ...reversal, idempotencyKey };
    await expect(clientFor(cloud).payroll.submitVariablePayment(contractId, submission)).resolves.toEqual(answer);
  });
});

const payrollContractId = contractId;
const payments: Given = [
  ['an approved payment', { payrollContractId, billingPeriod, compensationComponentId: 'BONUS' }],
  ['an approved payment', { payrollContractId, billingPeriod, compensationComponentId: 'OVERTIME' }],
];

test.each([
  ['all', {}],
  ['a month', { billingPeriod }],
])('approved payments of %s', async (name, query) => {
  const interaction = contract.interaction('listVariablePayments', {
    description: `listVariablePayments: 200 of ${name}`,
    given: payments,
    request: { path, query },
    example: [payment, otherPayment],
  });
  await interaction.run(async (cloud) => {
    const listed = clientFor(cloud).payroll.variablePayments(contractId, query);
    await expect(listed).resolves.toEqual([payment, otherPayment]);
  });
});

test('a payment that is not approved', async () => {
  const interaction = contract.interaction('listVariablePayments', {
    description: 'listVariablePayments: 200 without approved payments',
    given: ['a payment submitted with a key', { idempotencyKey, payrollContractId, billingPeriod, payment: reversal }],
    request: { path },
    example: [],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.variablePayments(contractId)).resolves.toEqual([]);
  });
});

test('no approved payments in a month', async () => {
  const interaction = contract.emptyList('listVariablePayments', {
    given: ['an approved payment', { payrollContractId, billingPeriod: '2025-12' }],
    request: { path, query: { billingPeriod } },
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.variablePayments(contractId, { billingPeriod })).resolves.toEqual([]);
  });
});

const [from, to] = ['2025-11', '2026-01'];
const salaries = [otherSalary, salary].map(({ year, month }): ProviderState => [
  'a salary',
  { payrollContractId, year, month },
]);

test.each([
  ['all months', {}],
  ['the months since one', { from }],
  ['the months until one', { to }],
  ['the months of a period', { from, to }],
])('salaries of %s', async (name, query) => {
  const interaction = contract.interaction('listSalaryHistory', {
    description: `listSalaryHistory: 200 of ${name}`,
    given: salaries,
    request: { path, query },
    example: [otherSalary, salary],
  });
  await interaction.run(async (cloud) => {
    const listed = clientFor(cloud).payroll.salaryHistory(contractId, query);
    await expect(listed).resolves.toEqual([otherSalary, salary]);
  });
});

test('salaries of all contracts', async () => {
  const interaction = contract.interaction('listAllSalaries', { given: salaries, example: [otherSalary, salary] });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.allSalaries()).resolves.toEqual([otherSalary, salary]);
  });
});

test.each([
  ['before a month', { from: '2026-02' }],
  ['after a month', { to: '2025-12' }],
])('no salaries but %s', async (_, query) => {
  const given = ['a salary', { payrollContractId, year: salary.year, month: salary.month }] as const;
  const ofContract = contract.emptyList('listSalaryHistory', { given, request: { path, query } });
  await ofContract.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.salaryHistory(contractId, query)).resolves.toEqual([]);
  });
  const ofAll = contract.emptyList('listAllSalaries', { given, request: { query } });
  await ofAll.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.allSalaries(query)).resolves.toEqual([]);
  });
});
