export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export { behaviourCases } from '../behaviour/behaviour-cases.ts';
export { differencesOf } from '../behaviour/behaviour-case.ts';
export type {
  BehaviourCase,
  CaseRequest,
  CaseRequestDetails,
  CaseResponse,
  Difference,
} from '../behaviour/behaviour-case.ts';
export { sendCaseRequest } from '../behaviour/send-request.ts';
export type { CaseTarget } from '../behaviour/send-request.ts';
export { brokerFromEnvironment } from './broker.ts';
export type { Broker } from './broker.ts';
export type { Coverage } from '../conform/cloud.ts';
export type { CheckedRule, CheckResult, ConformOptions, ConformReport } from '../conform/conform-options.ts';
export { conform } from '../conform/conform.ts';
export type { Deviation } from '../conform/deviation.ts';
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
