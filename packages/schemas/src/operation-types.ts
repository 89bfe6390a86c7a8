import type { endpoints } from './endpoints.ts';
import type { OperationTypes } from './generated/models.ts';
import type { ResponseTypes } from './generated/responses.ts';

/** The name of an operation. */
export type OperationId = keyof typeof endpoints;

/** The ids of the operations that respond with an array. */
export type ListOperationId = {
  [Id in OperationId]: (typeof endpoints)[Id]['list'] extends true ? Id : never;
}[OperationId];

/** The path parameters of an operation. */
export type PathParameters<Id extends OperationId> = OperationTypes[Id]['path'];
/** The query parameters of an operation, with the names of the operation table. */
export type Query<Id extends OperationId> = OperationTypes[Id]['query'];
/** The request body of an operation; `undefined` if it has none. */
export type Body<Id extends OperationId> = OperationTypes[Id]['body'];
/** What a client reads: an element of a list, or the whole response. */
export type ResponseOf<Id extends OperationId> = ResponseTypes[Id]['response'];
/** What a client reads of a list of changes: one element. `never` for an operation that lists no changes. */
export type ChangeOf<Id extends OperationId> = ResponseTypes[Id]['change'];

/**
 * A value as in a response. Optional fields may be missing or `null`. Unknown keys are kept, but not in the type.
 * Closed lists of strings may have new values, because `@hr/client` passes them on. Required fields are always present.
 * Few fields are required, because the specification does not say which are always present (section 2.11). A rule over
 * several fields may be broken.
 *
 * @example
 * type Names = Lenient<Pick<Person, 'id' | 'lastName'>>; // { id: string; lastName?: string | null | undefined }
 */
export type Lenient<T> = Extract<T, null> | LenientValue<Exclude<T, null>>;

// An object with a rule over several fields is a union, but a response may break the rule: not distributive.
type LenientValue<T> = [T] extends [never]
  ? never
  : [T] extends [readonly (infer Element)[]]
    ? Lenient<Element>[]
    : [T] extends [object]
      ? LenientFields<Pick<T, keyof T>>
      : T extends string
        ? string extends T
          ? T
          : T | (string & {})
        : T;

type LenientFields<T> = {
  [Key in keyof T]: undefined extends T[Key] ? Lenient<Exclude<T[Key], undefined>> | null | undefined : Lenient<T[Key]>;
};
