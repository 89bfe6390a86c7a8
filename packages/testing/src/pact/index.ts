export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export { exampleTokens } from '../contract/example-tokens.ts';
export type { ExampleToken } from '../contract/example-tokens.ts';
export type { UnsupportedRule } from '../contract/matchers/matchers-of.ts';
export { consumer } from './consumer.ts';
export { absent } from './expectation.ts';
export type { Consumer, ContractCloud, ContractTokenEndpoint, Interaction } from './consumer.ts';
export type {
  ErrorStatus,
  Example,
  InteractionOptions,
  EmptyListExpectation,
  ProblemExample,
  ProblemStatus,
  RequestExample,
  ResponseExample,
} from './expectation.ts';
export type { ConsumerOptions } from './interaction-records.ts';
export type { ExampleClient, SentParts } from './exchange.ts';
export type { CausedKind } from './problems.ts';
export type { TokenExpectation, TokenErrorExpectation } from './token-exchange.ts';
