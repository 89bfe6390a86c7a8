export { createHrClient } from './hr-client.ts';
export type { HrClient, VariablePaymentSubmission } from './hr-client.ts';
export { DIAGNOSTICS_CHANNEL } from './hr-client-event.ts';
export type { HrClientEvent, HrClientStep } from './hr-client-event.ts';
export type { CallOptions, HrClientOptions } from './hr-client-options.ts';
export { HrError, isHrError } from './hr-error.ts';
export type { HrErrorCode, HrErrorFacts } from './hr-error.ts';
export type { HrProblem, HrProblemError } from './hr-problem.ts';
export type { Outcome } from './outcome.ts';
