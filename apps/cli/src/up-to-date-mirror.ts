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

/** The local copy, brought up to date unless `sync` is false. */
export async function upToDateMirror(
  context: Context,
  { sync = true, collections = ['persons'] }: { sync?: boolean; collections?: readonly Collection[] } = {},
): Promise<Mirror> {
  const mirror = await context.mirror();
  for (const collection of sync ? collections : []) {
    // oxlint-disable-next-line no-await-in-loop -- absences are read for the persons that are already there
    await syncCollection(context, mirror, collection);
  }
  return mirror;
}
