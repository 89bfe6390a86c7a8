/**
 * One clock over a whole call: the token, every attempt, the waits between them, the body. It also passes on the abort
 * of the caller, and lets go of the caller's signal at the end.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = () => this.#controller.abort(this.#caller?.reason);
  #remaining: number;
  #runningSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expired = false;

  /** @param timeout in milliseconds */
  constructor(timeout: number, caller: AbortSignal | undefined) {
    this.#remaining = timeout;
    this.#caller = caller;
    if (caller?.aborted) this.#onCallerAbort();
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
    this.resume();
  }

  /** Aborts with the caller's reason, or when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time ran out, before the caller aborted. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Milliseconds that are left, while the clock runs. */
  get remaining(): number {
    return this.#remaining - (performance.now() - this.#runningSince);
  }

  /** Stops the clock while the caller works on what was read. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#remaining = this.remaining;
  }

  resume(): void {
    this.#runningSince = performance.now();
    this.#timer = setTimeout(() => {
      this.#expired = !this.signal.aborted;
      this.#controller.abort();
    }, this.#remaining);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }
}
