import { GRACE_MS } from '../backend/config.ts';
import type { Console } from '../backend/console.ts';
import { Locks } from '../backend/locks.ts';

/** What ends a run. */
export interface RunSignals {
  /** It sends no further request, and awaits those in flight. */
  readonly stop: AbortSignal;
  /** It aborts the requests in flight, too. */
  readonly signal: AbortSignal;
}

/** Work that goes on after the response to the request that began it, by one request to the service for each payment. */
export class Runs {
  protected readonly console: Console;
  protected readonly locks = new Locks();
  readonly #running = new Map<string, { readonly stop: AbortController; readonly end: Promise<void> }>();
  readonly #abort = new AbortController();

  constructor(context: Console) {
    this.console = context;
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  protected get running(): string[] {
    return [...this.#running.keys()];
  }

  /**
   * Begins a run.
   *
   * @param work - Handles its own errors.
   */
  protected begin(id: string, work: (signals: RunSignals) => Promise<void>): void {
    const stop = new AbortController();
    const end = work({ stop: stop.signal, signal: this.#abort.signal }).finally(() => {
      this.#running.delete(id);
      this.console.live.announce('payments');
    });
    this.#running.set(id, { stop, end });
  }

  /** Stops a run, and waits for its end. */
  protected async end(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.stop.abort();
    await running?.end;
  }

  /** Stops all runs, and aborts what is in flight after a while: its outcome is unknown. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), GRACE_MS);
    await Promise.allSettled(this.running.map((id) => this.end(id)));
    clearTimeout(timer);
  }
}
