import type { OperationId } from '@hr/schemas';
import type { HrErrorCode } from './hr-error.ts';
import type { HrProblemError } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/**
 * What happens during a call, for logs and metrics. Like errors, events name places and never values. The number `call`,
 * counted from 1 by each client, tells which events belong together.
 *
 * - `request`: a request goes out
 * - `response`: the head of its answer is there
 * - `retry`: the attempt failed and another one follows
 * - `invalid`: an answer breaks a bound and is handed out nevertheless
 * - `end`: the call is over; without `code` it succeeded, or its reader needed no more
 */
export type HrClientEvent = { readonly call: number; readonly operation: OperationId } & HrClientStep;

/** What an event tells beside the call it belongs to. */
export type HrClientStep =
  | { readonly type: 'request'; readonly attempt: number }
  | {
      readonly type: 'response';
      readonly attempt: number;
      readonly status: number;
      readonly requestId: string | undefined;
    }
  | { readonly type: 'retry'; readonly attempt: number; readonly code: HrErrorCode }
  | { readonly type: 'invalid'; readonly errors: readonly HrProblemError[] }
  | {
      readonly type: 'end';
      readonly attempts: number;
      /** How many answers or elements were handed out. */
      readonly elements: number;
      readonly durationMs: number;
      readonly code: HrErrorCode | 'aborted' | undefined;
      /** As in `HrError`, and for an aborted call too. */
      readonly outcome: Outcome | undefined;
    };

/** The name under which Node's `diagnostics_channel` carries every {@link HrClientEvent} of every client. */
export const DIAGNOSTICS_CHANNEL = 'hr:client';

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface PlatformWithBuiltins {
  readonly process?: {
    getBuiltinModule?(id: 'node:diagnostics_channel'): { channel(name: string): Channel } | undefined;
  };
}

/** Makes the function that opens a call: it counts it, and gives the function that tells its steps. */
export function eventSink(
  onEvent: ((event: HrClientEvent) => void) | undefined,
): (operation: OperationId) => (step: HrClientStep) => void {
  // Asked for at run time: an import of it would keep the package out of browsers.
  const { process } = globalThis as unknown as PlatformWithBuiltins;
  const channel = process?.getBuiltinModule?.('node:diagnostics_channel')?.channel(DIAGNOSTICS_CHANNEL);
  let calls = 0;
  return (operation) => {
    const call = ++calls;
    return (step) => {
      const event = { call, operation, ...step };
      if (channel?.hasSubscribers) channel.publish(event);
      // A listener's own fault, thrown or rejected, must neither decide about a payment nor end the process amid one.
      (async () => onEvent?.(event))().catch(() => undefined);
    };
  };
}
