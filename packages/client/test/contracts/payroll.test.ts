import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { contractId, payment, salary, values } from './records.ts';

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

test.each([
  ['all', {}],
  ['a month', { billingPeriod }],
])('approved payments of %s', async (name, query) => {
  const interaction = contract.interaction('listVariablePayments', {
    description: `listVariablePayments: 200 of ${name}`,
    given: ['an approved payment', { payrollContractId: contractId, billingPeriod }],
    request: { path, query },
    example: [payment],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.variablePayments(contractId, query)).resolves.toEqual([payment]);
  });
});

const [from, to] = ['2025-11', '2026-01'];

test.each([
  ['all months', {}],
  ['the months since one', { from }],
  ['the months until one', { to }],
  ['the months of a period', { from, to }],
])('salaries of %s', async (name, query) => {
  const interaction = contract.interaction('listSalaryHistory', {
    description: `listSalaryHistory: 200 of ${name}`,
    given: ['a salary', { payrollContractId: contractId, year: salary.year, month: salary.month }],
    request: { path, query },
    example: [salary],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).payroll.salaryHistory(contractId, query)).resolves.toEqual([salary]);
  });
});
