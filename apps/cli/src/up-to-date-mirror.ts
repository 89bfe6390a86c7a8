import type { Collection, Mirror, SyncOptions, SyncResult } from '@hr/client/mirror';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';

/** A complete list may take minutes on a slow network. */
export const LIST_TIMEOUT_MS = 600_000;

/** Synchronizes a collection and shows the progress. */
export async function syncCollection(
  context: Context,
  mirror: Mirror,
  collection: Collection,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const hr = await context.client(LIST_TIMEOUT_MS);
  using progress = context.progress(`Reading ${collection}:`);
  return await mirror.sync(hr, collection, {
    ...options,
    signal: context.signal,
    onProgress: (done) => progress.update(done),
  });
}

interface MirrorUse {
  /** The flag `--no-sync` of the command, if it has one. Default true. */
  readonly sync?: boolean;
  /** What to bring up to date. Default persons. */
  readonly collections?: readonly Collection[];
}

/**
 * The local copy, brought up to date unless `sync` is false.
 *
 * @throws {CliError} If it was never synchronized: it would be empty, as if there were no records.
 */
export async function upToDateMirror(
  context: Context,
  { sync, collections = ['persons'] }: MirrorUse = {},
): Promise<Mirror> {
  const mirror = await context.mirror();
  if (sync === false) {
    const empty = mirror
      .status()
      .filter((state) => state.syncedAt === undefined && collections.includes(state.collection));
    if (empty.length === 0) return mirror;
    const names = empty.map(({ collection }) => collection);
    throw new CliError(`There is no local copy of ${names.join(' and ')} yet. Run: hr sync ${names.join(' ')}`);
  }
  for (const collection of collections) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- absences are read for the persons that are already there
      await syncCollection(context, mirror, collection);
    } catch (error) {
      const isRunning = error instanceof Error && 'code' in error && error.code === 'sync-running';
      if (!isRunning || sync === undefined) throw error;
      throw new CliError(`${error.message} To read the local copy as it is, pass --no-sync.`);
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
