import type {
  Body,
  ListOperationId,
  OperationId,
  Operations,
  PathParameters,
  Problem,
  ProblemKind,
  ProblemOf,
  Query,
  problemKinds,
} from '@hr/schemas';
import type { z } from 'zod';
import type { Given } from '../states/provider-states.ts';
import type { CausedKind } from './problems.ts';

/**
 * Says in an example that a response does not have the field, because a state leaves it out and the program acts on that.
 *
 * @example
 * hr.interaction('listPersons', { given: ['a person', { id: '4711', jobTitle: null }], example: [{ jobTitle: absent }] });
 */
export const absent: unique symbol = Symbol.for('@hr/testing/absent');

/**
 * The part of a value that a consumer reads. A list has at least as many elements as its example, all with the fields
 * of the example; `[]` is an empty list.
 */
export type Example<Value, Mark = never> = Value extends string
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly [] | readonly [Example<Element, Mark>, ...Example<Element, Mark>[]]
    : Value extends object
      ? { readonly [Key in keyof Value]?: Example<Value[Key], Mark> | (object extends Pick<Value, Key> ? Mark : never) }
      : Value;

/** A problem status of an operation that a contract can cause. */
export type ProblemStatus<Id extends OperationId> = StatusOf<Extract<ProblemOf<Id>, CausedKind>>;

/** A status that `errors` can cause. */
export type ErrorStatus<Id extends OperationId> = Exclude<ProblemStatus<Id>, 400>;

type StatusOf<Kind extends ProblemKind> = (typeof problemKinds)[Kind]['status'];

/** The fields of a problem that a consumer reads. Its `type` belongs to the status. */
export type ProblemExample<Kind extends ProblemKind> = Omit<Example<Problem>, 'type'> & {
  readonly type?: `urn:hr-cloud:problem:${Kind}` | undefined;
};

/** The fields of a response that a consumer reads, or that are {@link absent}. */
export type ResponseExample<Id extends OperationId> = Operations[Id]['list'] extends true
  ? Example<ElementOf<Id>[], typeof absent>
  : Example<ElementOf<Id>, typeof absent>;

type ElementOf<Id extends OperationId> = z.output<
  Operations[Id]['response'] | (Operations[Id] extends { delta: infer Delta } ? Delta : never)
>;

/** A request, with the parameter names of the operation table. */
export type RequestExample<Id extends OperationId> = Part<'path', PathParameters<Id>> &
  Part<'query', Query<Id>> &
  (Body<Id> extends undefined ? unknown : { readonly body: Body<Id> }) &
  (Operations[Id] extends { idempotencyKey: true } ? { readonly idempotencyKey?: string | undefined } : unknown);

/** A part of a request: absent if it has no members, optional if all of them are. */
type Part<Name extends string, Value> = string extends keyof Value
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Readonly<Value> | undefined }
    : { readonly [Key in Name]: Readonly<Value> };

type RequestOption<Id extends OperationId> = Part<'request', RequestExample<Id>>;

/** Options of each interaction. */
export interface InteractionOptions {
  /** The provider states. @default none, or those that cause the problem */
  readonly given?: Given | undefined;
  /** Unique in the contract together with the states. @default the operation, the status and the states */
  readonly description?: string | undefined;
}

/** An operation that succeeds, or fails with a status. A compile error refers only to that status. */
export type ExpectationOf<Id extends OperationId, Status extends 200 | ProblemStatus<Id>> = InteractionOptions &
  RequestOption<Id> &
  ([Status] extends [ProblemStatus<Id>]
    ? {
        readonly status: Status;
        /** @default `status` */
        readonly example?:
          | ProblemExample<{ [Kind in ProblemOf<Id>]: StatusOf<Kind> extends Status ? Kind : never }[ProblemOf<Id>]>
          | undefined;
      }
    : { readonly status?: Status | undefined; readonly example: ResponseExample<Id> } & CursorOption<Id>);

type CursorOption<Id extends OperationId> = Operations[Id] extends { cursor: true; list: true }
  ? {
      /** Whether the program reads the header `HR-Cursor` of the response. @default only with `after` */
      readonly cursor?: boolean | undefined;
    }
  : unknown;

/** A list whose filter excludes all existing elements. */
export type EmptyListExpectation<Id extends ListOperationId> = InteractionOptions & {
  /** Provider states with elements that do not match the filter. */
  readonly given: Given;
  readonly request: RequestExample<Id> & {
    readonly query: (OneOf<Omit<Query<Id>, 'after'>> | Window<Query<Id>>) & { readonly after?: undefined };
  };
};

/** Both ends, each of which has to exclude something that the other does not. */
type Window<Value> = Value extends { from?: infer From; to?: infer To }
  ? { readonly from: From & string; readonly to: To & string }
  : never;

type OneOf<Value> = {
  [Key in keyof Value]-?: Readonly<Required<Pick<Value, Key>>> & {
    readonly [Other in Exclude<keyof Value, Key>]?: undefined;
  };
}[keyof Value];

/** The options of `errors`, optional if the request is. */
export type ErrorsArguments<Id extends OperationId> =
  object extends RequestOption<Id> ? [ErrorsOptions<Id>?] : [ErrorsOptions<Id>];

type ErrorsOptions<Id extends OperationId> = RequestOption<Id> & {
  /**
   * The fields of the problems that the consumer reads. `type`, `title` and `status` are replaced with those of each
   * problem.
   *
   * @default `status`
   */
  readonly example?:
    | (Omit<Example<Problem>, 'type'> & { readonly type?: '' | ProblemExample<ProblemOf<Id>>['type'] })
    | undefined;
};
