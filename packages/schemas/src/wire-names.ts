/**
 * How this deployment writes the query parameters whose names the specification does not show (section 4), by
 * operation: the parameter's name in the operation table → its name in the URL.
 */
export const wireNames = {
  listPersons: { changedSince: 'changedSince' },
  submitVariablePayment: { billingPeriod: 'billingPeriod' },
  listVariablePayments: { billingPeriod: 'billingPeriod' },
  listTimeBookings: { from: 'startDate', to: 'endDate', changedSince: 'changedSince' },
  listSalaryHistory: { from: 'from', to: 'to' },
  listAbsences: { from: 'from', to: 'to', changedSince: 'changedSince' },
} as const satisfies Record<string, Record<string, string>>;

/** Other names for a deployment that differs; what is left out keeps its name. */
export type WireNames = {
  readonly [Id in keyof typeof wireNames]?: { readonly [Parameter in keyof (typeof wireNames)[Id]]?: string };
};
