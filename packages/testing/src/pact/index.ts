export { exampleTokens } from './example-tokens.ts';
export type { ExampleToken } from './example-tokens.ts';
export type { Example } from './example.ts';
export type { AnswerExample, Expectation, ProblemExpectation, ProblemStatus, RequestExample } from './expectation.ts';
