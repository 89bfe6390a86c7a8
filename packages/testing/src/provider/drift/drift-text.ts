import type { Drift } from './drift.ts';

/** Drift to read: consumer, interaction, and what is where. */
export function driftText(drifts: readonly Drift[]): string {
  const lines: string[] = [];
  let last = '';
  for (const { consumer, description, place, sentence } of drifts) {
    const heading = `${consumer}: ${description}`;
    if (heading !== last) lines.push(heading);
    last = heading;
    lines.push(`  ${place}: ${sentence}`);
  }
  return lines.join('\n');
}
