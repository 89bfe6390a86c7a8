import { printable } from '../commands/text-table.ts';
import type { BadLine } from './feed-batches.ts';
import type { ImportProgress } from './import-feed.ts';

/** Tells a person at a terminal how an import goes. */
export interface ImportReport {
  /** Writes `FILE:LINE: /pointer detail`, and stops after the first faults. */
  readonly onBadLine: (badLine: BadLine) => void;
  /** Writes how many lines are done, about once a second. */
  readonly onProgress: (progress: ImportProgress) => void;
  /** Writes how many faults were not shown. Gives the seconds since the beginning. */
  readonly end: () => number;
}

const FAULTS_SHOWN = 50;
const PROGRESS_EVERY_MS = 1000;

/** Begins a report to `output`, which is the standard error. It names files, lines and fields, and never a value. */
export function importReport(output: { write(text: string): unknown }): ImportReport {
  const start = performance.now();
  let told = start;
  let faults = 0;
  return {
    onBadLine({ source, line, issues }) {
      for (const { pointer, detail } of issues) {
        faults++;
        if (faults > FAULTS_SHOWN) continue;
        // A field's name comes from the feed.
        output.write(`${source}:${line}: ${printable(pointer) || 'the line'} ${detail}\n`);
      }
    },
    onProgress({ source, lines }) {
      const now = performance.now();
      if (now - told < PROGRESS_EVERY_MS) return;
      told = now;
      output.write(`${source}: ${lines} lines, ${Math.round((lines * 1000) / (now - start))} a second\n`);
    },
    end() {
      if (faults > FAULTS_SHOWN) output.write(`${faults - FAULTS_SHOWN} more faults are not shown.\n`);
      return (performance.now() - start) / 1000;
    },
  };
}
