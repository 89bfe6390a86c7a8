import { GRACE_MS } from '../backend/config.ts';

const CONCURRENCY = 4;

/** Works on items, a few at the same time. */
export async function inParallel<Item>(
  items: IterableIterator<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- each worker works on one at a time
    for (const item of items) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Waits a while for work to end, and then aborts it. */
export async function endSoon(work: readonly Promise<void>[], abort: AbortController): Promise<void> {
  const timer = setTimeout(() => abort.abort(), GRACE_MS);
  await Promise.allSettled(work);
  clearTimeout(timer);
}
