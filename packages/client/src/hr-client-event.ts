import type { OperationId } from '@hr/schemas/checks';
import type { HrErrorCode } from './hr-error.ts';
import type { HrProblemError } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/**
 * A step of a call, for logs and metrics. Events name places, not values. The number `call` is unique in the process.
 *
 * - `request`: a request is sent
 * - `response`: the head of its response arrived
 * - `retry`: the attempt failed, and the client retries
 * - `invalid`: a response breaks a bound, but the caller receives it
 * - `end`: the call ended, that of `request` with the head of its response; without `code` it succeeded, or the caller
 *   left the loop
 */
export type HrClientEvent = { readonly call: number; readonly operation: OperationId } & HrClientStep;

/** The data of an event beside its call. */
export type HrClientStep =
  | { readonly type: 'request'; readonly attempt: number }
  | {
      readonly type: 'response';
      readonly attempt: number;
      readonly status: number;
      readonly requestId: string | undefined;
      /** The service's clock, from the header `Date`, in milliseconds since the epoch. */
      readonly date: number | undefined;
      /** The number of requests that are left until the limit starts anew, if the service sends a `RateLimit`. */
      readonly rateLimit: { readonly remaining: number; readonly resetMs: number } | undefined;
    }
  | { readonly type: 'retry'; readonly attempt: number; readonly code: HrErrorCode }
  | { readonly type: 'invalid'; readonly errors: readonly HrProblemError[] }
  | {
      readonly type: 'end';
      readonly attempts: number;
      /** Number of elements or responses that the caller received. */
      readonly elements: number;
      readonly durationMs: number;
      /** As in `HrError`. */
      readonly code: HrErrorCode | undefined;
      readonly outcome: Outcome | undefined;
    };

// Shared by all copies of this package in the process, so that numbers of calls are unique.
const counter = Symbol.for('@hr/client/calls');

/** A number for a call, unique in the process. */
export function nextCall(): number {
  const shared = globalThis as { [counter]?: number };
  return (shared[counter] = (shared[counter] ?? 0) + 1);
}
