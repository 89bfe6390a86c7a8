import type { Collection, Mirror, SyncOptions, SyncResult } from '@hr/client/mirror';
import type { Context } from './context.ts';

/** Synchronizes a collection and shows the progress. */
export async function syncCollection(
  context: Context,
  mirror: Mirror,
  collection: Collection,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const hr = await context.client();
  using progress = context.progress(`Reading ${collection}:`);
  return await mirror.sync(hr, collection, {
    ...options,
    signal: context.signal,
    onProgress: (done) => progress.update(done),
  });
}

interface MirrorUse {
  /** Default true. */
  readonly sync?: boolean;
  /** What to bring up to date. Default persons. */
  readonly collections?: readonly Collection[];
}

/** The local copy, brought up to date unless `sync` is false. */
export async function upToDateMirror(
  context: Context,
  { sync = true, collections = ['persons'] }: MirrorUse = {},
): Promise<Mirror> {
  const mirror = await context.mirror();
  for (const collection of sync ? collections : []) {
    // oxlint-disable-next-line no-await-in-loop -- absences are read for the persons that are already there
    await syncCollection(context, mirror, collection);
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
