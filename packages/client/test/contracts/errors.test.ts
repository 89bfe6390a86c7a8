import { operations, problemKinds, problemType, type OperationId, type ProblemKind } from '@hr/schemas';
import type { ContractCloud, Interaction } from '@hr/testing/pact';
import { expect, test } from 'vitest';
import type { HrClient, HrErrorCode, Outcome } from '../../src/index.ts';
import { clientFor, contract } from './contract.ts';
import { bankDetails, contractId, payment, personId } from './records.ts';

/** What a problem comes to, for whoever calls the client. */
const meanings = {
  unauthorized: { code: 'unauthorized', outcome: 'rejected' },
  forbidden: { code: 'forbidden', outcome: 'rejected' },
  'not-found': { code: 'not-found', outcome: 'rejected' },
  'time-component-version': { code: 'conflict', outcome: 'rejected' },
  'idempotency-key-reused': { code: 'idempotency-key-reused', outcome: 'unknown' },
  'too-many-requests': { code: 'rate-limited', outcome: 'rejected' },
  unavailable: { code: 'server-error', outcome: 'unknown' },
} as const satisfies { readonly [Of in ProblemKind]?: { readonly code: HrErrorCode; readonly outcome: Outcome } };

type Kind = keyof typeof meanings;

/** How many requests the client sends: it retries a transient failure, unless that could pay twice. */
function attemptsOf(id: OperationId, kind: Kind): number {
  const isPassing = kind === 'too-many-requests' || kind === 'unavailable';
  return isPassing && operations[id].method !== 'POST' ? 3 : 1;
}

/** A problem of a kind, with what the client reads of it. Its words are the client's own. */
function problem<Of extends ProblemKind>(kind: Of) {
  const { status }: { readonly status: (typeof problemKinds)[Of]['status'] } = problemKinds[kind];
  return { status, example: { type: problemType(kind), status, requestId: 'a5f2' } };
}

const always = ['unauthorized', 'forbidden', 'too-many-requests', 'unavailable'] as const;
const { billingPeriod, compensationComponentId, amount } = payment;
const body = { compensationComponentId, amount };
const patch = { bankDetails };
const submission = { path: { contractId }, query: { billingPeriod }, body };
const idempotencyKey = 'run-7/42';

interface Refusal {
  readonly id: OperationId;
  readonly kind: Kind;
  readonly interaction: Interaction<ContractCloud>;
  readonly call: (hr: HrClient) => PromiseLike<unknown>;
}

function refusals<Of extends Kind>(
  id: OperationId,
  kinds: readonly Of[],
  interactionOf: (kind: Of) => Interaction<ContractCloud>,
  call: (hr: HrClient) => PromiseLike<unknown>,
): Refusal[] {
  return kinds.map((kind) => ({ id, kind, interaction: interactionOf(kind), call }));
}

test.each([
  ...refusals(
    'listPersons',
    always,
    (kind) => contract.interaction('listPersons', problem(kind)),
    (hr) => hr.persons.list(),
  ),
  ...refusals(
    'updatePerson',
    [...always, 'not-found'],
    (kind) =>
      contract.interaction('updatePerson', { ...problem(kind), request: { path: { id: personId }, body: patch } }),
    (hr) => hr.persons.update(personId, patch),
  ),
  ...refusals(
    'submitVariablePayment',
    [...always, 'not-found'],
    (kind) => contract.interaction('submitVariablePayment', { ...problem(kind), request: submission }),
    (hr) => hr.payroll.submitVariablePayment(contractId, { billingPeriod, ...body }),
  ),
  ...refusals(
    'submitVariablePayment',
    ['idempotency-key-reused'],
    (kind) =>
      contract.interaction('submitVariablePayment', { ...problem(kind), request: { ...submission, idempotencyKey } }),
    (hr) => hr.payroll.submitVariablePayment(contractId, { billingPeriod, ...body, idempotencyKey }),
  ),
  ...refusals(
    'listVariablePayments',
    [...always, 'not-found'],
    (kind) => contract.interaction('listVariablePayments', { ...problem(kind), request: { path: { contractId } } }),
    (hr) => hr.payroll.variablePayments(contractId),
  ),
  ...refusals(
    'listSalaryHistory',
    [...always, 'not-found'],
    (kind) => contract.interaction('listSalaryHistory', { ...problem(kind), request: { path: { contractId } } }),
    (hr) => hr.payroll.salaryHistory(contractId),
  ),
  ...refusals(
    'listTimeBookings',
    [...always, 'time-component-version'],
    (kind) => contract.interaction('listTimeBookings', problem(kind)),
    (hr) => hr.time.bookings(),
  ),
  ...refusals(
    'listAbsences',
    [...always, 'not-found', 'time-component-version'],
    (kind) => contract.interaction('listAbsences', { ...problem(kind), request: { path: { personId } } }),
    (hr) => hr.time.absences(personId),
  ),
])('$interaction.description', async ({ id, kind, interaction, call }) => {
  await interaction.run(async (cloud) => {
    const { status, example } = problem(kind);
    const { type, requestId } = example;
    await expect(call(clientFor(cloud))).rejects.toMatchObject({
      ...meanings[kind],
      operation: id,
      status,
      requestId,
      attempts: attemptsOf(id, kind),
      problem: { kind, type, status, requestId, errors: [] },
    });
  });
});

test.each([
  ['unsupported', 1],
  ['provider-supports', 3],
] as const)('a key whose first request has not ended, where keys are %s', async (idempotency, attempts) => {
  const { status, example } = problem('idempotency-key-in-flight');
  const interaction = contract.interaction('submitVariablePayment', {
    given: ['a payment being submitted with a key', { idempotencyKey, payrollContractId: contractId }],
    status,
    request: { ...submission, idempotencyKey },
    example,
  });
  await interaction.run(async (cloud) => {
    const hr = clientFor(cloud, { idempotency });
    // It may yet be paid.
    await expect(
      hr.payroll.submitVariablePayment(contractId, { billingPeriod, ...body, idempotencyKey }),
    ).rejects.toMatchObject({
      code: 'conflict',
      outcome: 'unknown',
      status,
      attempts,
      problem: { type: example.type },
    });
  });
});

test('a parameter that the service does not have', async () => {
  const errors = [{ pointer: '/since', code: 'unknown-name' }] as const;
  const { status, example } = problem('invalid-request');
  const interaction = contract.interaction('listPersons', {
    description: 'listPersons: 400 to a parameter that it does not have',
    status,
    request: { query: { since: '2026-01-31' } as object },
    example: { ...example, errors },
  });
  await interaction.run(async (cloud) => {
    // What is set up for a deployment with other names would get all persons, did the service ignore them.
    const hr = clientFor(cloud, { wireNames: { listPersons: { changedSince: 'since' } } });
    await expect(hr.persons.list({ changedSince: '2026-01-31' })).rejects.toMatchObject({
      code: 'invalid-request',
      outcome: 'rejected',
      status,
      problem: { type: example.type, errors },
    });
  });
});
