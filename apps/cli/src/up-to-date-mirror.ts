import { bulk, type BulkProgress } from '@hr/client';
import { isMirrorError, type Collection, type Mirror, type SyncOptions, type SyncResult } from '@hr/client/mirror';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';

/** A complete list may take minutes on a slow network. */
export const LIST_TIMEOUT_MS = 600_000;
/** How long a command waits for the sync of another program. Then it reads the local copy as it is. */
const SYNC_WAIT_SECONDS = 10;

/** Synchronizes a collection and shows the progress. At a limit of requests, it goes on where it was. */
export async function syncCollection(
  context: Context,
  mirror: Mirror,
  collection: Collection,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const hr = await context.client(LIST_TIMEOUT_MS);
  using progress = context.progress(`Reading ${collection}:`);
  const { maxWait, signal } = context;
  let latest: BulkProgress = { done: 0 };
  const sync = (): Promise<SyncResult> =>
    mirror.sync(hr, collection, { ...options, signal, onProgress: (each) => progress.update((latest = each)) });
  const onProgress = ({ pause }: BulkProgress): void => progress.update({ ...latest, pause });
  const results = bulk([collection], sync, { maxWait, signal, onProgress });
  return (await results.next()).value as SyncResult;
}

interface MirrorUse {
  /** The flag `--no-sync` of the command, if it has one. Default true. */
  readonly sync?: boolean;
  /** What to bring up to date. Default persons. */
  readonly collections?: readonly Collection[];
}

/**
 * The local copy, at most as old as `--max-age` says, unless `sync` is false. If another program brings it up to date for
 * long, it is read as it is.
 *
 * @throws {CliError} If it was never synchronized: it would be empty, as if there were no records.
 */
export async function upToDateMirror(
  context: Context,
  { sync = true, collections = ['persons'] }: MirrorUse = {},
): Promise<Mirror> {
  const maxAgeSeconds = context.flags.maxAge;
  const mirror = await context.mirror();
  const syncedAt = (name: Collection): string | undefined =>
    mirror.status().find(({ collection }) => collection === name)?.syncedAt;
  const missing = collections.filter((name) => syncedAt(name) === undefined);
  if (!sync) {
    if (missing.length === 0) return mirror;
    throw new CliError(`There is no local copy of ${missing.join(' and ')} yet. Run: hr sync ${missing.join(' ')}`);
  }
  for (const collection of collections) {
    const at = syncedAt(collection);
    const age = at === undefined ? Infinity : Date.now() - Date.parse(at);
    if (age >= 0 && age < maxAgeSeconds * 1000) continue;
    const seconds = { maxAgeSeconds, waitSeconds: SYNC_WAIT_SECONDS };
    try {
      // oxlint-disable-next-line no-await-in-loop -- absences are read for the persons that are already there
      await syncCollection(context, mirror, collection, seconds);
    } catch (error) {
      if (!isMirrorError(error) || error.code !== 'sync-running') throw error;
      const isThere = at !== undefined;
      context.info(
        `Another program is reading ${collection}. ${isThere ? `This is the local copy as of ${at}.` : 'Waiting for its end.'}`,
      );
      // oxlint-disable-next-line no-await-in-loop
      if (!isThere) await syncCollection(context, mirror, collection, { maxAgeSeconds });
    }
  }
  return mirror;
}

/** Records of the local copy. It is brought up to date when the first one is read: flags have been checked by then. */
export async function* fromMirror<T>(
  context: Context,
  use: MirrorUse,
  read: (mirror: Mirror) => Iterable<T>,
): AsyncGenerator<T, void, undefined> {
  yield* read(await upToDateMirror(context, use));
}
