import type { OperationId } from '@hr/schemas/checks';
import type { Outcome } from './outcome.ts';

/**
 * The names of the tracing channels (`node:diagnostics_channel`) on which each client in the process reports its calls,
 * and each HTTP request of a call.
 *
 * @example
 * ```ts
 * import { tracingChannel } from 'node:diagnostics_channel';
 *
 * const { start } = tracingChannel(tracingChannels.call);
 * start.subscribe((message) => console.log((message as HrCallTrace).operation));
 * ```
 */
export const tracingChannels = { call: 'hr:client:call', request: 'hr:client:request' } as const;

/**
 * The context of a call, the same object in each of its messages. It names places, not values.
 *
 * @sealed
 */
export interface HrCallTrace {
  /** Unique in the process; {@link HrRequestTrace} and `HrClientEvent` have it too. */
  readonly call: number;
  readonly operation: OperationId;
  readonly method: string;
  /** The path in the operation table, with parameters in braces. */
  readonly path: string;
  /** At the end: number of requests that were sent or started. */
  attempts?: number;
  /** At the end: number of elements or responses that the caller received. */
  elements?: number;
  /** At the end of a failed call: as in `HrError`. */
  outcome?: Outcome | undefined;
  /** At the end of a failed call: the `HrError`. */
  error?: unknown;
}

/**
 * The context of an HTTP request of a call, the same object in each of its messages.
 *
 * @sealed
 */
export interface HrRequestTrace {
  readonly call: number;
  readonly operation: OperationId;
  readonly method: string;
  readonly path: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Once there is a response. */
  status?: number | undefined;
  /** Once there is a response: the service's id of the request. */
  requestId?: string | undefined;
  /** If there was no response. */
  error?: unknown;
}

interface TracingChannel {
  readonly hasSubscribers: boolean;
  tracePromise(run: () => Promise<void>, context: object): Promise<void>;
}

interface PlatformWithBuiltins {
  readonly process?: {
    getBuiltinModule?(id: 'node:diagnostics_channel'): { tracingChannel(name: string): TracingChannel } | undefined;
  };
}

/** What {@link Trace} has started. */
interface Traced<Result> {
  readonly result: Promise<Result>;
  /** Ends the trace, with the error if it failed. */
  end(error?: unknown): void;
}

/** Runs an asynchronous function. Traces it if the channel has subscribers, until `end`. */
export type Trace = <Result>(
  channel: keyof typeof tracingChannels,
  context: HrCallTrace | HrRequestTrace,
  run: () => Promise<Result>,
) => Traced<Result>;

/** Finds the tracing channels. Without Node.js there are none. */
export function tracing(): Trace {
  // Looked up at run time: an import would keep the package out of browsers.
  const { process } = globalThis as unknown as PlatformWithBuiltins;
  const builtin = process?.getBuiltinModule?.('node:diagnostics_channel');
  const channels = builtin && {
    call: builtin.tracingChannel(tracingChannels.call),
    request: builtin.tracingChannel(tracingChannels.request),
  };
  return (name, context, run) => {
    const channel = channels?.[name];
    if (!channel?.hasSubscribers) return { result: run(), end() {} };
    // Without a value, because tracing would publish it.
    const ended = Promise.withResolvers<void>();
    let result: ReturnType<typeof run> | undefined;
    const traced = channel.tracePromise(() => {
      result = run();
      return ended.promise;
    }, context);
    traced.catch(() => undefined);
    return {
      result: result as unknown as ReturnType<typeof run>,
      end: (error) => (error === undefined ? ended.resolve() : ended.reject(error)),
    };
  };
}
