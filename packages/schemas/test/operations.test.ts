import { describe, expect, test } from 'vitest';
import {
  operations,
  problemKinds,
  problemType,
  problemsOf,
  wireNames,
  type Operation,
  type OperationId,
  type ProblemKind,
} from '../src/index.ts';

const table = Object.entries<Operation>(operations) as [OperationId, Operation][];

const idsOf = (rows: typeof table) => rows.map(([id]) => id);

// Section 4 of the specification, and the extensions.
test('the table is the specification', () => {
  const rows = table.map(([id, { method, path, section, list }]) => `${section} ${method} ${path} ${id} ${list}`);
  expect(rows.toSorted()).toEqual([
    '4.1 PATCH /api/v1/persons/{id} updatePerson false',
    '4.2 GET /api/v1/changes getChanges false',
    '4.2 GET /api/v1/persons listPersons true',
    '4.3 GET /api/v1/payrollContract/{contractId}/variable-payments listVariablePayments true',
    '4.3 GET /api/v1/variable-payment-decisions listVariablePaymentDecisions true',
    '4.3 POST /api/v1/payrollContract/{contractId}/variable-payments submitVariablePayment false',
    '4.4 GET /api/v1/time-bookings listTimeBookings true',
    '4.5 GET /api/v1/payrollContract/{contractId}/salaries/history listSalaryHistory true',
    '4.5 GET /api/v1/salaries/history listAllSalaries true',
    '4.6 GET /api/v1/absences listAllAbsences true',
    '4.6 GET /api/v1/persons/{personId}/absences listAbsences true',
    '6 DELETE /api/v1/webhook-endpoints/{endpointId} deleteWebhookEndpoint false',
    '6 GET /api/v1/webhook-endpoints listWebhookEndpoints true',
    '6 GET /api/v1/webhook-endpoints/{endpointId}/deliveries listWebhookDeliveries true',
    '6 POST /api/v1/webhook-endpoints createWebhookEndpoint false',
    '6 POST /api/v1/webhook-endpoints/{endpointId}/rotate rotateWebhookSecret false',
    '6 POST /api/v1/webhook-endpoints/{endpointId}/test testWebhookEndpoint false',
  ]);
});

const ofTime = ['listTimeBookings', 'listAbsences', 'listAllAbsences'];
const ofWebhooks = [
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'listWebhookDeliveries',
  'testWebhookEndpoint',
  'rotateWebhookSecret',
  'deleteWebhookEndpoint',
];
const withBody = ['updatePerson', 'submitVariablePayment', 'createWebhookEndpoint'];
const withCursor = ['listPersons', 'listVariablePaymentDecisions', 'listTimeBookings', 'listAllAbsences', 'getChanges'];

test('only the time endpoints need the component, and the extensions are marked', () => {
  expect(idsOf(table.filter(([, row]) => row.timeComponent))).toEqual(ofTime);
  expect(idsOf(table.filter(([, row]) => row.extension))).toEqual([
    'listVariablePayments',
    'listVariablePaymentDecisions',
    'listAllSalaries',
    'listAllAbsences',
    'getChanges',
    ...ofWebhooks,
  ]);
  expect(idsOf(table.filter(([, row]) => row.cursor))).toEqual(withCursor);
  expect(idsOf(table.filter(([, { query }]) => 'after' in query.shape))).toEqual(withCursor);
  expect(idsOf(table.filter(([, row]) => row.idempotencyKey))).toEqual(['submitVariablePayment']);
});

test('no two operations share method and path', () => {
  expect(new Set(table.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(table.length);
});

test('an operation answers at most one kind of problem with a status, but for the two kinds of changes that are gone', () => {
  for (const id of idsOf(table)) {
    const statuses = problemsOf(id).map((kind) => problemKinds[kind].status);
    const { cursor, delta } = operations[id] as Operation;
    expect(new Set(statuses).size).toBe(statuses.length - (cursor && delta ? 1 : 0));
  }
});

test('only what has a path, a body, a time component, a cursor or a key answers their problems', () => {
  const answering = (kind: ProblemKind) => idsOf(table).filter((id) => problemsOf(id).some((each) => each === kind));
  expect(answering('not-found')).toEqual(idsOf(table.filter(([, { path }]) => path.includes('{'))));
  expect(answering('precondition-failed')).toEqual(withBody);
  expect(answering('content-too-large')).toEqual(withBody);
  expect(answering('conflict')).toEqual(['createWebhookEndpoint']);
  expect(answering('time-component-version')).toEqual(ofTime);
  expect(answering('cursor-expired')).toEqual(withCursor);
  expect(answering('idempotency-key-reused')).toEqual(['submitVariablePayment']);
  expect(answering('unauthorized')).toEqual(idsOf(table));
});

describe.each(table)('%s', (id, { method, path, pathParameters, query, body, response, delta }) => {
  test('has the parameters of its path, and needs them', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(pathParameters.shape)).toEqual(inPath);
    expect(pathParameters.safeParse({}).success).toBe(inPath.length === 0);
  });

  test('has a wire name for each query parameter, each once', () => {
    const names: Record<string, string> = id in wireNames ? wireNames[id as keyof typeof wireNames] : {};
    expect(Object.keys(names).toSorted()).toEqual(Object.keys(query.shape).toSorted());
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
  });

  test('sends a body only where it writes, and names its models', () => {
    expect(body !== undefined).toBe(withBody.includes(id));
    expect(body === undefined || ['PATCH', 'POST'].includes(method)).toBe(true);
    const named = [response, body, delta].filter((model) => model !== undefined);
    for (const model of named) expect(model.meta()?.id).toMatch(/^[A-Z]\w+$/);
  });
});

test('each wire name belongs to an operation', () => {
  for (const id of Object.keys(wireNames)) expect(operations).toHaveProperty(id);
});

test('problems have a type of their own and an error status', () => {
  const kinds = Object.keys(problemKinds) as (keyof typeof problemKinds)[];
  expect(new Set(kinds.map(problemType)).size).toBe(kinds.length);
  for (const { status, title } of Object.values(problemKinds)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).not.toBe('');
  }
});
