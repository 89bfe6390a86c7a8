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
export { conform } from './conform.ts';
export type { ConformOptions, ConformReport, Coverage } from './conform-options.ts';
export type { CheckedRule, CheckResult, Deviation } from './check.ts';
