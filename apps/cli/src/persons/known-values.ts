import type { Mirror } from '@hr/client/mirror';

/** The groups or the statuses of the persons of a local copy; after some time, those of its first persons. */
export function knownValues(mirror: Mirror, name: 'group' | 'status', maxMs = Infinity): string[] {
  const found = new Set<string>();
  const end = performance.now() + maxMs;
  for (const { status, groups } of mirror.persons()) {
    if (name === 'group') for (const { id } of groups ?? []) found.add(id);
    else if (status) found.add(status);
    if (performance.now() > end) break;
  }
  return [...found].toSorted();
}
