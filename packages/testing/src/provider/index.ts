export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export { brokerFromEnvironment } from './broker.ts';
export type { Broker } from './broker.ts';
export { checkDrift, expectNoDrift } from './drift/check-drift.ts';
export type { Drift, DriftOptions, DriftReport } from './drift/check-drift.ts';
export type { VerificationRecord } from './deployment-records.ts';
export { VerificationFailedError, verificationReport } from './verification-result.ts';
export type {
  BrokerNotices,
  Fault,
  VerificationResult,
  VerifiedInteraction,
  VerifiedPact,
} from './verification-result.ts';
export { scenarioStates } from './verify-options.ts';
export type { StateContext, StateHandler, StateHandlers, TokenSource, VerifyOptions } from './verify-options.ts';
export { verifyProvider } from './verify-provider.ts';
