import { operations } from '@hr/schemas';
import type { HrClientEvent } from '@hr/client';

/** A call of the service. It has no parameter and no value, so it contains no personal data. */
export interface LoggedCall {
  readonly number: number;
  /** When it ended, an ISO 8601 instant. */
  readonly at: string;
  readonly operation: string;
  readonly method: string;
  /** With the names of its parameters, such as `/api/v1/persons/{id}`. */
  readonly path: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
}

const MAX_CALLS = 200;
/** The console asks for changes every two seconds: of such calls in a row, only the last one is kept. */
const CHECK = 'operatorListAuditEvents';

/** The last calls of the service. */
export class CallLog {
  readonly #calls: LoggedCall[] = [];
  readonly #open = new Map<number, { status: number; requestId: string | undefined }>();
  #number = 0;

  add(call: Omit<LoggedCall, 'number' | 'at'>): void {
    const last = this.#calls.at(-1);
    if (call.operation === CHECK && last?.operation === CHECK && call.status === last.status) this.#calls.pop();
    this.#calls.push({ ...call, number: ++this.#number, at: new Date().toISOString() });
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Receives the events of an `HrClient`. */
  readonly onEvent = (event: HrClientEvent): void => {
    if (event.type === 'response') this.#open.set(event.call, event);
    if (event.type !== 'end') return;
    const { method, path } = operations[event.operation];
    const response = this.#open.get(event.call);
    this.#open.delete(event.call);
    const { status, requestId } = response ?? {};
    this.add({ operation: event.operation, method, path, status, requestId, durationMs: event.durationMs });
  };

  /** Returns the calls, the newest first. */
  list(): LoggedCall[] {
    return this.#calls.toReversed();
  }
}
