import type {
  Body,
  OperationId,
  Operations,
  PathParameters,
  Problem,
  ProblemOf,
  Query,
  problemKinds,
} from '@hr/schemas';
import type { z } from 'zod';
import type { Given } from '../states/provider-states.ts';
import type { Example } from './example.ts';

/** A status that an operation is documented to answer with a problem. */
export type ProblemStatus<Id extends OperationId> = (typeof problemKinds)[ProblemOf<Id>]['status'];

/** What a consumer reads of an operation's answer: for a list, `[]` or the one element that says what all are like. */
export type AnswerExample<Id extends OperationId> = Operations[Id]['list'] extends true
  ? readonly [] | readonly [Example<ElementOf<Id>>]
  : Example<ElementOf<Id>>;

type ElementOf<Id extends OperationId> = z.output<
  Operations[Id]['response'] | (Operations[Id] extends { delta: infer Delta } ? Delta : never)
>;

/** What a consumer sends, under the names of the operation table; parameters that the operation does not have do not compile. */
export type RequestExample<Id extends OperationId> = Part<'path', PathParameters<Id>> &
  Part<'query', Query<Id>> &
  (Body<Id> extends undefined ? unknown : { readonly body: Body<Id> }) &
  (Operations[Id] extends { idempotencyKey: true } ? { readonly idempotencyKey?: string } : unknown);

/** A part of a request, which there is none of where it names nothing, and which may be left out where nothing in it is required. */
type Part<Name extends string, Value> = string extends keyof Value
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Readonly<Value> }
    : { readonly [Key in Name]: Readonly<Value> };

/** The options of an operation's problems, which may be left out where the request may be empty. */
export type ErrorsArguments<Id extends OperationId> =
  object extends RequestOption<Id> ? [ErrorsOptions<Id>?] : [ErrorsOptions<Id>];

type ErrorsOptions<Id extends OperationId> = RequestOption<Id> & {
  /**
   * The keys of the problems that the consumer reads. What is given for `type`, `title` and `status` stands for each
   * problem's own.
   *
   * @default `status`
   */
  readonly example?: Example<Problem>;
};

/** The request of an operation, as an option that may be left out where the request may be empty. */
type RequestOption<Id extends OperationId> = Part<'request', RequestExample<Id>>;

/** What is expected of an operation, by its status: a mistake in it is told of that status, and not of all there are. */
export type ExpectationOf<Id extends OperationId, Status extends 200 | ProblemStatus<Id>> = {
  readonly status?: Status;
} & (Status extends 200 ? Expectation<Id> : ProblemExpectation<Id>);

/** What is expected of an operation that succeeds: only what the consumer relies on. */
export type Expectation<Id extends OperationId> = RequestOption<Id> & {
  /** What the HR cloud has to hold. */
  readonly given?: Given;
  readonly status?: 200;
  /** The keys of the answer that the consumer reads, each with a value. */
  readonly example: AnswerExample<Id>;
  /** Unique in the contract together with `given`; made of the operation and the status where it is left out. */
  readonly description?: string;
};

/** What is expected of an operation that does not succeed. */
export type ProblemExpectation<Id extends OperationId> = RequestOption<Id> & {
  /** What the HR cloud has to hold; known for the statuses of `errors` where it is left out. */
  readonly given?: Given;
  readonly status: ProblemStatus<Id>;
  /** The keys of the problem that the consumer reads; `status` where it is left out. */
  readonly example?: Example<Problem>;
  readonly description?: string;
};
