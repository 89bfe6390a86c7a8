const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

/**
 * Caches what lookups found for a second, and that they found nothing, so that one key costs one query a second.
 *
 * @param isCurrent whether what was found is still to be used, within the second
 */
export function createLookupCache<Found>(isCurrent: (found: Found) => boolean) {
  /** Until when in the milliseconds of `performance.now()`, which never goes back. */
  const cache = new Map<string, { readonly found: Found | undefined; readonly until: number }>();
  const pending = new Map<string, Promise<Found | undefined>>();
  // A lookup that began before an eviction may have found what was true then.
  let evictions = 0;
  const counts = { hits: 0, misses: 0 };

  async function run(key: string, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
    counts.misses++;
    const until = performance.now() + CACHE_MS;
    const evictionsBefore = evictions;
    const found = await lookUp();
    if (evictions !== evictionsBefore) return found;
    // It is the newest now. Until here it was known that the key was looked up before.
    cache.delete(key);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(key, { found, until });
    return found;
  }

  return {
    counts: counts as Readonly<typeof counts>,
    /** Whether a key was looked up, lately or before. */
    has: (key: string): boolean => cache.has(key),
    /** What is cached of a key, or what a lookup finds. Concurrent calls for the same key share it. */
    async get(key: string, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
      const hit = cache.get(key);
      if (hit && hit.until > performance.now() && (hit.found === undefined || isCurrent(hit.found))) {
        counts.hits++;
        return hit.found;
      }
      const running = pending.get(key) ?? run(key, lookUp).finally(() => pending.delete(key));
      pending.set(key, running);
      return running;
    },
    /** Evicts what was found of these, and whatever was not found. */
    evict(isEvicted: (found: Found) => boolean = () => true): void {
      evictions++;
      pending.clear();
      for (const [key, { found }] of cache) if (found === undefined || isEvicted(found)) cache.delete(key);
    },
  };
}
