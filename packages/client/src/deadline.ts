/** What a wait rejects with that lasts longer than its own limit. */
export const STALLED = Symbol('stalled');

/**
 * The clock of a call. It runs only while the call waits for the network or for a retry, and pauses while the caller
 * handles an element. It also forwards an abort of the caller's signals, and removes its listeners at the end.
 */
export class Deadline {
  readonly #controller = new AbortController();
  /** Aborts with the caller's reason, or when the call times out. */
  readonly signal = this.#controller.signal;
  readonly #callers: readonly AbortSignal[];
  readonly #onAbort = ({ target }: Event) => this.#abort((target as AbortSignal).reason);
  #remaining: number;
  #runningSince: number | undefined;
  #pausedSince: number | undefined;
  #pausedMs = 0;
  #cancelTimer: (() => void) | undefined;
  #expired = false;
  #rejectWait: ((reason: unknown) => void) | undefined;

  /** @param timeout - In milliseconds; `false` for none. */
  constructor(timeout: number | false, ...callers: readonly AbortSignal[]) {
    this.#remaining = timeout === false ? Number.POSITIVE_INFINITY : timeout;
    this.#callers = callers;
    for (const caller of callers) {
      if (caller.aborted) this.#abort(caller.reason);
      caller.addEventListener('abort', this.#onAbort, { once: true });
    }
    this.resume();
  }

  /** Whether the call timed out before the caller aborted. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Milliseconds left; `Infinity` without a timeout. */
  get remaining(): number {
    return this.#remaining - (this.#runningSince === undefined ? 0 : performance.now() - this.#runningSince);
  }

  /** Milliseconds during which the clock was paused. */
  get pausedMs(): number {
    return this.#pausedMs;
  }

  /**
   * Starts something, and settles like it, or rejects with `signal.reason` if the call is aborted first. Does not stop
   * what it started. A call waits for one thing at a time.
   *
   * @param limit - How long, in milliseconds, before it rejects with `STALLED`.
   */
  wait<T>(start: () => T | PromiseLike<T>, limit: number | false = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#rejectWait = reject;
    if (this.signal.aborted) reject(this.signal.reason);
    new Promise<T>((settle) => settle(start())).then(resolve, reject);
    if (limit === false) return promise;
    return promise.finally(afterArrivals(limit, () => reject(STALLED)));
  }

  pause(): void {
    this.#cancelTimer?.();
    this.#remaining = this.remaining;
    this.#runningSince = undefined;
    this.#pausedSince = performance.now();
  }

  /** Resumes the clock; a no-op while it runs. */
  resume(): void {
    if (this.#runningSince !== undefined) return;
    this.#runningSince = performance.now();
    if (this.#pausedSince !== undefined) this.#pausedMs += this.#runningSince - this.#pausedSince;
    if (this.#remaining === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = afterArrivals(Math.max(0, this.#remaining), () => {
      this.#expired = !this.signal.aborted;
      this.#abort();
    });
  }

  end(): void {
    this.#cancelTimer?.();
    for (const caller of this.#callers) caller.removeEventListener('abort', this.#onAbort);
  }

  #abort(reason?: unknown): void {
    this.#controller.abort(reason);
    this.#rejectWait?.(this.signal.reason);
  }
}

/**
 * Runs something later, and returns what cancels it. If the program blocks the event loop, a timer fires before received
 * bytes are read. A second timer lets the bytes through first.
 */
export function afterArrivals(milliseconds: number, run: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(run);
  }, milliseconds);
  return () => clearTimeout(timer);
}
