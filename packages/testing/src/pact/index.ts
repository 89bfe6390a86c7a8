export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export { exampleTokens } from '../contract/example-tokens.ts';
export type { ExampleToken } from '../contract/example-tokens.ts';
export type { UnsupportedRule } from '../contract/matchers/matchers-of.ts';
export { consumer } from './consumer.ts';
export { absent } from './expectation.ts';
export type { Consumer, ConsumerOptions, ContractCloud, ContractTokenEndpoint, Interaction } from './consumer.ts';
export type {
  ErrorStatus,
  Example,
  InteractionOptions,
  OutsideExpectation,
  ProblemExample,
  ProblemStatus,
  RequestExample,
  ResponseExample,
} from './expectation.ts';
export type { SentParts } from './exchange.ts';
export type { CausedKind } from './problems.ts';
export type { ExampleClient, TokenExpectation, TokenRefusal } from './token-exchange.ts';
