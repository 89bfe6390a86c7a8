import { printable, textTable } from '../terminal/terminal.ts';
import type { BadLine } from './feed-batches.ts';
import type { ShownRun } from './import-run.ts';

/** Reports how an import goes, for a person at a terminal. */
export type ImportReport = ReturnType<typeof importReport>;

const FAULTS_SHOWN = 50;
const PROGRESS_EVERY_MS = 1000;

/** Starts a report to `output`, which is the standard error. It names files, lines and fields, and never a value. */
export function importReport(output: { write(text: string): unknown }) {
  const start = performance.now();
  let reported = start;
  let faults = 0;
  function show({ source, line, pointer, detail }: Omit<ShownRun['leftOut'][number], 'code'>): void {
    faults++;
    // A field's name comes from the feed.
    if (faults <= FAULTS_SHOWN) output.write(`${source}:${line}: ${printable(pointer) || 'the line'} ${detail}\n`);
  }
  return {
    /** Writes `FILE:LINE: /pointer detail`, for the first faults. */
    onBadLine: ({ source, line, issues }: BadLine): void => {
      for (const issue of issues) show({ source, line, ...issue });
    },
    /** Writes the first faults of an import that the service ran. */
    onRun({ leftOut, moreFaults }: Pick<ShownRun, 'leftOut' | 'moreFaults'>): void {
      leftOut.forEach(show);
      faults += moreFaults;
    },
    /** Writes how many lines are done, about once a second. */
    onProgress: ({ source, lines }: { readonly source: string; readonly lines: number }): void => {
      const now = performance.now();
      if (now - reported < PROGRESS_EVERY_MS) return;
      reported = now;
      output.write(`${source}: ${lines} lines, ${Math.round((lines * 1000) / (now - start))} a second\n`);
    },
    /** Writes how many faults were not shown. Returns the seconds since the start. */
    end(): number {
      if (faults > FAULTS_SHOWN) output.write(`${faults - FAULTS_SHOWN} more faults are not shown.\n`);
      return (performance.now() - start) / 1000;
    },
  };
}

const outcomeNames = ['created', 'changed', 'unchanged', 'deleted', 'erased'] as const;

/** What became of lines, by their kind. */
export function outcomesTable(outcomes: ShownRun['outcomes']): string {
  const counts = Object.entries(outcomes).filter(([, of]) => Object.values(of).some((count) => count > 0));
  return textTable([
    ['', ...outcomeNames],
    ...counts.map(([kind, of]) => [kind, ...outcomeNames.map((name) => String(of[name]))]),
  ]);
}
