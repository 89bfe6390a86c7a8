import { GRACE_MS } from '../backend/config.ts';

/** Waits a while for work to end, and then aborts it. */
export async function endSoon(work: readonly Promise<void>[], abort: AbortController): Promise<void> {
  const timer = setTimeout(() => abort.abort(), GRACE_MS);
  await Promise.allSettled(work);
  clearTimeout(timer);
}
