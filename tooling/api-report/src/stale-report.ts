const SHOWN_LINES = 3;

/** Where a report that is kept differs from what it should be; nothing where it does not. */
export function staleReport(kept: string, fresh: string): string | undefined {
  if (kept === fresh) return undefined;
  const before = kept.split('\n');
  const now = fresh.split('\n');
  const first = now.findIndex((line, index) => line !== before[index]);
  const place = first < 0 ? now.length : first;
  const from = (sign: string, lines: readonly string[]): string[] =>
    lines.slice(place, place + SHOWN_LINES).map((line) => `  ${sign} ${line}`);
  return [`from line ${place + 1}:`, ...from('-', before), ...from('+', now)].join('\n');
}
