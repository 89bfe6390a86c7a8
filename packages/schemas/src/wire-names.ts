/**
 * The names of query parameters in the URL that the specification does not show (section 4), by operation: name in the
 * operation table → name in the URL.
 */
export const wireNames = {
  listPersons: { changedSince: 'changedSince' },
  submitVariablePayment: { billingPeriod: 'billingPeriod' },
  listVariablePayments: { billingPeriod: 'billingPeriod' },
  listTimeBookings: { from: 'startDate', to: 'endDate', changedSince: 'changedSince' },
  listSalaryHistory: { from: 'from', to: 'to' },
  listAbsences: { from: 'from', to: 'to', changedSince: 'changedSince' },
} as const satisfies Record<string, Record<string, string>>;

/** Names of a deployment that differ from {@link wireNames}. */
export type WireNames = {
  readonly [Id in keyof typeof wireNames]?: { readonly [Parameter in keyof (typeof wireNames)[Id]]?: string };
};
