import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeKind } from '@hr/schemas/checks';
import type { HrClient } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { isUnavailable } from './is-unavailable.ts';
import type { Collection, FollowOptions, SyncOptions, SyncResult } from './mirror.ts';
import { isMirrorError, MirrorError } from './mirror-error.ts';

const DEFAULT_COLLECTIONS: readonly Collection[] = ['persons', 'bookings'];
const DEFAULT_POLL_SECONDS = 60;
const WAIT_SECONDS = 50;
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

const kinds: { readonly [Name in Collection]: ChangeKind } = {
  persons: 'persons',
  bookings: 'timeBookings',
  absences: 'absences',
};

type SyncCollection = (collection: Collection, options: SyncOptions) => Promise<SyncResult>;

/** Syncs collections whenever they change: see `Mirror.follow`. */
export async function* follow(
  sync: SyncCollection,
  hr: HrClient,
  { collections = DEFAULT_COLLECTIONS, pollSeconds = DEFAULT_POLL_SECONDS, onFailure, ...options }: FollowOptions,
): AsyncGenerator<SyncResult, void, undefined> {
  if (!(pollSeconds > 0)) throw new MirrorError('invalid-option', 'follow: pollSeconds must be a number above 0.');
  const { signal } = options;
  const due = new Set(collections);
  let after: string | undefined;
  let canWait = true;
  let failures = 0;

  /** Waits until collections are due. A cursor from before the syncs misses nothing. */
  async function wait(seconds: number): Promise<void> {
    try {
      const { cursor, changed } = await hr.changes.get({ after, wait: seconds }, { signal });
      after = cursor;
      for (const collection of collections) if (changed.includes(kinds[collection])) due.add(collection);
    } catch (error) {
      if (!isHrError(error)) throw error;
      const isExpired = error.problem?.kind === 'cursor-expired';
      if (!isExpired && !isUnavailable(error)) throw error;
      after = undefined;
      canWait = isExpired;
      for (const collection of collections) due.add(collection);
    }
  }

  for (;;) {
    if (signal?.aborted) return;
    // oxlint-disable no-await-in-loop -- one sync after the other
    try {
      if (canWait && after === undefined) await wait(0);
      for (const collection of collections) {
        if (!due.has(collection)) continue;
        const result = await sync(collection, options);
        due.delete(collection);
        // What went with persons may be back with them.
        if (collection === 'persons' && result.full) {
          for (const other of collections) if (other !== collection) due.add(other);
        }
        yield result;
      }
      failures = 0;
      if (due.size > 0) continue;
      if (canWait) await wait(WAIT_SECONDS);
      else await poll();
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      onFailure?.(error);
      const pause = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures++) * (0.5 + Math.random() / 2);
      const retryAfterMs = isHrError(error) ? (error.retryAfterMs ?? 0) : 0;
      await delay(Math.max(pause, retryAfterMs), undefined, { signal }).catch(() => undefined);
    }
    // oxlint-enable no-await-in-loop
  }

  async function poll(): Promise<void> {
    await delay(pollSeconds * 1000, undefined, { signal });
    for (const collection of collections) due.add(collection);
  }
}

/** Whether the same sync can succeed later. */
function isPassing(error: unknown): error is HrError | MirrorError {
  if (isMirrorError(error)) return error.code === 'cannot-write';
  return isHrError(error) && error.isTransient;
}
