const SHOWN_LINES = 3;

/** Where a report that is kept first differs from what it should be; nothing where it does not. */
export function staleReport(kept: string, fresh: string): string | undefined {
  if (kept === fresh) return undefined;
  const before = kept.split('\n');
  const now = fresh.split('\n');
  const first = now.findIndex((line, index) => line !== before[index]);
  const place = first < 0 ? now.length : first;
  return [
    `from line ${place + 1}:`,
    ...onlyIn(before, now, place).map((line) => `  - ${line}`),
    ...onlyIn(now, before, place).map((line) => `  + ${line}`),
  ].join('\n');
}

/** The first lines from a place on that others do not have. */
function onlyIn(lines: readonly string[], others: readonly string[], place: number): string[] {
  const left = new Set(others.slice(place));
  return lines
    .slice(place)
    .filter((line) => !left.has(line))
    .slice(0, SHOWN_LINES);
}
