import { setTimeout as delay } from 'node:timers/promises';
import type { HrClient } from '@hr/client';
import type { Collection, Mirror } from '@hr/client/mirror';
import { z } from 'zod';
import { failureMessage } from '../report-failure.ts';
import { ToolError, type ToolCall } from './tool.ts';

/** How old the data of a result is. */
export const freshnessFields = {
  asOf: z.string().describe('The data is as of this time. Say it if it matters.'),
  notice: z.string().describe('Why the local copy is not newer. Tell the user.').optional(),
};

interface Freshness {
  readonly asOf: string;
  readonly notice?: string;
}

interface Sync {
  /** Why it failed, if it did. */
  readonly ended: Promise<string | undefined>;
  readonly abort: AbortController;
  /** Calls that wait for it. */
  waiting: number;
  /** Whether it goes on without a call that waits. */
  isDetached: boolean;
  done: number;
  readonly observers: Set<() => void>;
}

const MINUTE_MS = 60_000;

/** Maximum age, in minutes. A service without cursors takes a request for each person to sync absences. */
export const maxAgeMinutes: Readonly<Record<Collection, number>> = { persons: 5, bookings: 5, absences: 60 };

/** Maximum age after a call that wants the newest data. */
const REFRESH_MINUTES = 5;

/** Clients give up on a call after a minute by default. */
const MAX_WAIT_MS = 45_000;
const TOO_SLOW = Symbol('too slow');

/** Brings the local copy up to date for the calls that need it. Calls share a sync, and one runs at a time. */
export class LocalCopy {
  readonly #mirror: Mirror;
  readonly #hr: HrClient;
  readonly #maxWaitMs: number;
  readonly #syncs = new Map<Collection, Sync>();
  readonly #endedAt = new Map<Collection, number>();
  readonly #outdated = new Set<Collection>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(mirror: Mirror, hr: HrClient, maxWaitMs = MAX_WAIT_MS) {
    this.#mirror = mirror;
    this.#hr = hr;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Brings collections up to date, one after the other. If that fails or takes long, an older copy has to do.
   *
   * @param refresh - Whether the copy must be newer than usual.
   * @returns The age of the last collection.
   * @throws {ToolError} if there is no complete copy.
   */
  async upToDate(
    call: Pick<ToolCall, 'signal' | 'progress'>,
    collections: readonly [Collection, ...Collection[]],
    refresh = false,
  ): Promise<Freshness> {
    const notices: string[] = [];
    const waitUntil = performance.now() + this.#maxWaitMs;
    for (const collection of collections) {
      if (refresh ? this.#isJustRead(collection) : this.#isFresh(collection)) continue;
      // oxlint-disable-next-line no-await-in-loop -- absences need the persons
      const failure = await this.#wait(collection, call, waitUntil);
      call.signal.throwIfAborted();
      if (failure === undefined) continue;
      if (this.#syncedAt(collection) === undefined) {
        throw new ToolError('no-copy', `There is no complete local copy of the ${collection} yet. ${failure}`);
      }
      notices.push(`The local copy of the ${collection} is not up to date. ${failure}`);
    }
    const asOf = this.#syncedAt(collections.at(-1) as Collection) as string;
    return { asOf, ...(notices.length > 0 && { notice: notices.join(' ') }) };
  }

  /** The next call reads the collection again. */
  expire(collection: Collection): void {
    this.#outdated.add(collection);
  }

  /** Aborts the syncs and waits for their end. */
  async close(): Promise<void> {
    for (const { abort } of this.#syncs.values()) abort.abort();
    await this.#last;
  }

  #syncedAt(collection: Collection): string | undefined {
    return this.#mirror.status().find((status) => status.collection === collection)?.syncedAt;
  }

  #isFresh(collection: Collection): boolean {
    const at = this.#syncedAt(collection);
    if (at === undefined || this.#outdated.has(collection)) return false;
    return Date.now() - Date.parse(at) < maxAgeMinutes[collection] * MINUTE_MS;
  }

  /** By the end of the sync: a call that repeats because the sync took long must not start it anew. */
  #isJustRead(collection: Collection): boolean {
    const at = this.#endedAt.get(collection) ?? -Infinity;
    return !this.#outdated.has(collection) && performance.now() - at < REFRESH_MINUTES * MINUTE_MS;
  }

  /** Waits for a sync. Returns why the copy is not up to date, if it is not. */
  async #wait(
    collection: Collection,
    { signal, progress }: Pick<ToolCall, 'signal' | 'progress'>,
    waitUntil: number,
  ): Promise<string | undefined> {
    const sync = this.#syncs.get(collection) ?? this.#start(collection);
    const rows = this.#mirror.countPersons();
    // A service with cursors lists absences by themselves, not by person.
    const total = collection !== 'absences' && rows > 0 ? rows : undefined;
    const observer = () => progress(sync.done, total, `Reading ${collection}`);
    const timer = new AbortController();
    const left = AbortSignal.any([signal, timer.signal]);
    // The end of the wait: undefined if the call was cancelled, which the caller checks.
    const slow = delay(waitUntil - performance.now(), TOO_SLOW, { signal: left }).catch(() => undefined);
    sync.observers.add(observer);
    sync.waiting++;
    try {
      const result = await Promise.race([sync.ended, slow]);
      if (result !== TOO_SLOW) return result;
      sync.isDetached = true;
      const share = `${sync.done}${total === undefined ? '' : ` of ${total}`}`;
      return `It is being read (${share} records so far). Call the tool again in a minute.`;
    } finally {
      timer.abort();
      sync.observers.delete(observer);
      sync.waiting--;
      if (sync.waiting === 0 && !sync.isDetached) {
        sync.abort.abort();
        this.#remove(collection, sync);
      }
    }
  }

  #remove(collection: Collection, sync: Sync): void {
    if (this.#syncs.get(collection) === sync) this.#syncs.delete(collection);
  }

  #start(collection: Collection): Sync {
    const abort = new AbortController();
    const sync: Sync = {
      abort,
      waiting: 0,
      isDetached: false,
      done: 0,
      observers: new Set(),
      // The mirror takes one sync at a time.
      ended: this.#last.then(async () => {
        try {
          abort.signal.throwIfAborted();
          this.#outdated.delete(collection);
          await this.#mirror.sync(this.#hr, collection, {
            signal: abort.signal,
            onProgress({ done }) {
              sync.done = done;
              for (const observe of sync.observers) observe();
            },
          });
          this.#endedAt.set(collection, performance.now());
          return undefined;
        } catch (error) {
          this.#outdated.add(collection);
          return failureMessage(error);
        } finally {
          this.#remove(collection, sync);
        }
      }),
    };
    this.#last = sync.ended;
    this.#syncs.set(collection, sync);
    return sync;
  }
}
