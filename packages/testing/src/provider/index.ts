export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export type { BrokerSource } from './broker-source.ts';
export { stagedStates } from './staged-states.ts';
export type { StateContext, StateHandler, StateHandlers } from './state-handlers.ts';
export { VerificationFailedError } from './verification-failed-error.ts';
export type { Fault, VerificationResult, VerifiedInteraction } from './verification-result.ts';
export type { PactFiles, TokenSource, VerifyOptions } from './verify-options.ts';
export { verifyProvider } from './verify-provider.ts';
