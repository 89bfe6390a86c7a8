import { DatabaseUnavailableError } from './database-errors.ts';
import type { Requester } from './database.ts';

/** Who asks for a place: the service itself may take every one. */
export interface Turn extends Requester {
  /** Whether it is for a long transaction. All of these have one place together. */
  readonly long?: boolean | undefined;
  /** Default: it waits as long as it takes. */
  readonly maxWaitMs?: number | undefined;
}

/** Who holds places and waits for them: a client, all long transactions, or the service itself. */
type Holder = string | typeof LONG | undefined;
const LONG = Symbol('long transactions');

/**
 * Admits only so many at a time: clients in turns, and each client in the order of its requests.
 *
 * A client gets another place only while more places are free than it holds. So one client never holds more than half,
 * rounded up, and a client that holds none gets any place that is free.
 */
export class Admission {
  #free: number;
  readonly #held = new Map<Holder, number>();
  /** The holder whose turn is next comes first. None that may take a place now waits. */
  readonly #waiting = new Map<Holder, Set<() => void>>();

  constructor(places: number) {
    this.#free = places;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Waits for a place.
   *
   * @returns how long that took, and a function that gives the place back
   * @throws {DatabaseUnavailableError} when there was none in time, or the signal of the requester was aborted before.
   */
  async enter({ clientId, signal, long, maxWaitMs }: Turn = {}): Promise<{ waitedMs: number; leave: () => void }> {
    const holder = long ? LONG : clientId;
    if (signal?.aborted) throw new DatabaseUnavailableError({ reason: 'waitTimeout' });
    const startedAt = performance.now();
    if (this.#mayTake(holder)) this.#take(holder);
    else await this.#turnOf(holder, { maxWaitMs, signal });
    const leave = (): void => {
      this.#take(holder, -1);
      this.#admit();
    };
    return { waitedMs: performance.now() - startedAt, leave };
  }

  /** Whether somebody who waits would be admitted if this client gave a place back. */
  isAwaited(clientId: string | undefined): boolean {
    this.#take(clientId, -1);
    const isAwaited = [...this.#waiting.keys()].some((holder) => this.#mayTake(holder));
    this.#take(clientId);
    return isAwaited;
  }

  #mayTake(holder: Holder): boolean {
    if (this.#free === 0 || holder === undefined) return this.#free > 0;
    const held = this.#held.get(holder) ?? 0;
    return holder === LONG ? held === 0 : this.#free > held;
  }

  #take(holder: Holder, places = 1): void {
    this.#free -= places;
    const held = (this.#held.get(holder) ?? 0) + places;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }

  #admit(): void {
    // A holder that is moved to the end is visited again.
    for (const [holder, queue] of this.#waiting) {
      const [next] = queue;
      if (!next || !this.#mayTake(holder)) continue;
      queue.delete(next);
      this.#waiting.delete(holder);
      if (queue.size > 0) this.#waiting.set(holder, queue);
      this.#take(holder);
      next();
    }
  }

  async #turnOf(holder: Holder, { maxWaitMs, signal }: Turn): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(holder) ?? new Set();
    this.#waiting.set(holder, queue.add(resolve));
    const giveUp = (): void => {
      if (!queue.delete(resolve)) return;
      if (queue.size === 0) this.#waiting.delete(holder);
      reject(new DatabaseUnavailableError({ reason: 'waitTimeout' }));
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    signal?.addEventListener('abort', giveUp);
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    });
  }
}
