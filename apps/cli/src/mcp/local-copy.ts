import { setTimeout as delay } from 'node:timers/promises';
import type { Collection, CollectionStatus } from '@hr/client/mirror';
import { failureMessage } from '../report-failure.ts';
import { ToolError, type ToolCall } from './tool.ts';

interface Sync {
  /** Resolves to why it failed, if it did. */
  ended: Promise<string | undefined>;
  readonly abort: AbortController;
  /** Receive how far it is. One for each call that waits. */
  readonly observers: Set<ToolCall['progress']>;
  /** Whether it goes on without a call that waits. */
  isDetached: boolean;
  done: number;
  total?: number | undefined;
}

type Call = Pick<ToolCall, 'hr' | 'mirror' | 'signal' | 'progress'>;

const MINUTE_MS = 60_000;

/** Maximum age, in minutes. A service without cursors takes a request for each person to sync absences. */
export const maxAgeMinutes = { usual: 5, absencesByPerson: 60 };

/** Clients give up on a call after a minute by default. */
const MAX_WAIT_MS = 45_000;

/** Brings the local copy up to date for the calls that need it. Calls share a sync. */
export class LocalCopy {
  readonly #maxWaitMs: number;
  readonly #syncs = new Map<Collection, Sync>();
  readonly #endedAt = new Map<Collection, number>();
  readonly #outdated = new Set<Collection>();
  #allEnded: Promise<unknown> = Promise.resolve();

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Brings collections up to date, one after the other. If that fails or takes long, an older copy has to do.
   *
   * @param refresh - Whether the copy must be newer than usual.
   * @returns As of when the last collection is, and why the copy is not newer.
   * @throws {ToolError} if there is no complete copy.
   */
  async upToDate(call: Call, collections: readonly Collection[], refresh = false) {
    const notices: string[] = [];
    const waitUntil = performance.now() + this.#maxWaitMs;
    let asOf = '';
    for (const collection of collections) {
      const isFresh = this.#isFresh(call, collection, refresh);
      // oxlint-disable-next-line no-await-in-loop -- absences need the persons
      const failure = isFresh ? undefined : await this.#wait(call, collection, waitUntil);
      call.signal.throwIfAborted();
      const { syncedAt } = statusOf(call, collection);
      if (syncedAt === undefined) {
        throw new ToolError('no-copy', `There is no complete local copy of the ${collection} yet. ${failure}`);
      }
      if (failure !== undefined) notices.push(`The local copy of the ${collection} is not up to date. ${failure}`);
      asOf = syncedAt;
    }
    return { asOf, ...(notices.length > 0 && { notice: notices.join(' ') }) };
  }

  /** The next call reads the collection again. */
  expire(collection: Collection): void {
    this.#outdated.add(collection);
  }

  /** Aborts the syncs and waits for their end. */
  async close(): Promise<void> {
    for (const { abort } of this.#syncs.values()) abort.abort();
    await this.#allEnded;
  }

  #isFresh(call: Call, collection: Collection, refresh: boolean): boolean {
    const { syncedAt = 0, cursor } = statusOf(call, collection);
    // By the end of the sync: a call that repeats because the sync took long must not start it anew.
    const readAgo = performance.now() - (this.#endedAt.get(collection) ?? -Infinity);
    const age = refresh ? readAgo : Date.now() - new Date(syncedAt).getTime();
    // The next sync begins at a day only if the service has no cursors.
    const isByPerson = collection === 'absences' && cursor !== undefined && !refresh;
    const minutes = isByPerson ? maxAgeMinutes.absencesByPerson : maxAgeMinutes.usual;
    return !this.#outdated.has(collection) && age < minutes * MINUTE_MS;
  }

  /** Waits for a sync. Returns why the copy is not up to date, if it is not. */
  async #wait(call: Call, collection: Collection, waitUntil: number): Promise<string | undefined> {
    const { signal, progress } = call;
    signal.throwIfAborted();
    const sync = this.#syncs.get(collection) ?? this.#start(call, collection);
    const ms = Math.max(0, waitUntil - performance.now());
    const left = delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    sync.observers.add(progress);
    try {
      const ended = await Promise.race([sync.ended.then((failure) => ({ failure })), left]);
      if (ended) return ended.failure;
      sync.isDetached ||= !signal.aborted;
      const share = `${sync.done}${sync.total === undefined ? '' : ` of ${sync.total}`}`;
      return `It is being read (${share} records so far). Call the tool again in a minute.`;
    } finally {
      sync.observers.delete(progress);
      if (sync.observers.size === 0 && !sync.isDetached) {
        sync.abort.abort();
        if (this.#syncs.get(collection) === sync) this.#syncs.delete(collection);
      }
    }
  }

  #start(call: Call, collection: Collection): Sync {
    // A service with cursors lists absences by themselves, not by person.
    const rows = collection === 'absences' ? 0 : call.mirror.countPersons();
    const [abort, ended] = [new AbortController(), Promise.resolve(undefined)];
    const sync: Sync = { ended, abort, observers: new Set(), isDetached: false, done: 0, total: rows || undefined };
    sync.ended = this.#read(call, collection, sync);
    this.#allEnded = Promise.all([this.#allEnded, sync.ended]);
    this.#syncs.set(collection, sync);
    return sync;
  }

  async #read({ hr, mirror }: Call, collection: Collection, sync: Sync): Promise<string | undefined> {
    this.#outdated.delete(collection);
    try {
      await mirror.sync(hr, collection, {
        signal: sync.abort.signal,
        onProgress({ done, total = sync.total }) {
          Object.assign(sync, { done, total });
          for (const progress of sync.observers) progress(done, total, `Reading ${collection}`);
        },
      });
      this.#endedAt.set(collection, performance.now());
      return undefined;
    } catch (error) {
      this.#outdated.add(collection);
      return failureMessage(error);
    } finally {
      if (this.#syncs.get(collection) === sync) this.#syncs.delete(collection);
    }
  }
}

function statusOf({ mirror }: Call, collection: Collection): Partial<CollectionStatus> {
  return mirror.status().find((status) => status.collection === collection) ?? {};
}
