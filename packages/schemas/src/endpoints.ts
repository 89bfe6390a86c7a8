/**
 * The method and the path of each operation (section 4), whether it responds with an array, and its other features; see
 * {@link Operation}.
 */
export const endpoints = {
  listPersons: { method: 'GET', path: '/api/v1/persons', list: true, cursor: true },
  updatePerson: { method: 'PATCH', path: '/api/v1/persons/{id}', list: false },
  submitVariablePayment: {
    method: 'POST',
    path: '/api/v1/payrollContract/{contractId}/variable-payments',
    list: false,
    idempotencyKey: true,
  },
  listVariablePayments: {
    method: 'GET',
    path: '/api/v1/payrollContract/{contractId}/variable-payments',
    list: true,
    extension: true,
  },
  listVariablePaymentDecisions: {
    method: 'GET',
    path: '/api/v1/variable-payment-decisions',
    list: true,
    cursor: true,
    extension: true,
  },
  listTimeBookings: {
    method: 'GET',
    path: '/api/v1/time-bookings',
    list: true,
    cursor: true,
    timeComponent: true,
  },
  listSalaryHistory: { method: 'GET', path: '/api/v1/payrollContract/{contractId}/salaries/history', list: true },
  listAllSalaries: { method: 'GET', path: '/api/v1/salaries/history', list: true, extension: true },
  listAbsences: { method: 'GET', path: '/api/v1/persons/{personId}/absences', list: true, timeComponent: true },
  listAllAbsences: {
    method: 'GET',
    path: '/api/v1/absences',
    list: true,
    cursor: true,
    timeComponent: true,
    extension: true,
  },
  getChanges: { method: 'GET', path: '/api/v1/changes', list: false, cursor: true, extension: true },
  createWebhookEndpoint: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints',
    list: false,
    conflict: true,
    extension: true,
  },
  listWebhookEndpoints: { method: 'GET', path: '/api/v1/webhook-endpoints', list: true, extension: true },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{endpointId}/deliveries',
    list: true,
    extension: true,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{endpointId}/test',
    list: false,
    extension: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{endpointId}/rotate',
    list: false,
    extension: true,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/api/v1/webhook-endpoints/{endpointId}',
    list: false,
    extension: true,
  },
} as const;

/** What can change, by the names of the lists that read it. */
export const changeKinds = ['persons', 'timeBookings', 'absences', 'salaries', 'decisions'] as const;
/** A kind of records that can change. */
export type ChangeKind = (typeof changeKinds)[number];

/**
 * The names of query parameters in the URL that the specification does not show (section 4), by operation: name in the
 * operation table → name in the URL.
 */
export const wireNames = {
  listPersons: { changedSince: 'changedSince', after: 'after' },
  submitVariablePayment: { billingPeriod: 'billingPeriod' },
  listVariablePayments: { billingPeriod: 'billingPeriod' },
  listVariablePaymentDecisions: { after: 'after' },
  listTimeBookings: { from: 'startDate', to: 'endDate', changedSince: 'changedSince', after: 'after' },
  listSalaryHistory: { from: 'from', to: 'to' },
  listAllSalaries: { from: 'from', to: 'to' },
  listAbsences: { from: 'from', to: 'to', changedSince: 'changedSince' },
  listAllAbsences: { from: 'from', to: 'to', changedSince: 'changedSince', after: 'after' },
  getChanges: { after: 'after', wait: 'wait' },
} as const satisfies Record<string, Record<string, string>>;

/** Names of a deployment that differ from {@link wireNames}. */
export type WireNames = {
  readonly [Id in keyof typeof wireNames]?: { readonly [Parameter in keyof (typeof wireNames)[Id]]?: string };
};
