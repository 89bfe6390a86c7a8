import { setImmediate } from 'node:timers/promises';
import type { Issue } from '@hr/schemas';
import { feedLines } from './feed-lines.ts';
import { readRecord, type FeedRecord } from './feed-record.ts';
import type { FeedSource } from './feed-source.ts';

/** An invalid line of a feed. It names places, never values. */
export interface BadLine {
  /** The name of the source. */
  readonly source: string;
  /** 1 is the first. */
  readonly line: number;
  readonly issues: readonly Issue[];
}

/** Consecutive lines of the feed. */
export interface FeedBatch {
  /** The source of the last of them. */
  readonly source: string;
  /** How many there are, bad ones too, without blank ones. */
  readonly lines: number;
  readonly records: readonly FeedRecord[];
  readonly badLines: readonly BadLine[];
}

export const MAX_BATCH_LINES = 5000;
const MAX_BATCH_CHARACTERS = 1024 * 1024;
/** The memory that a fault takes. A line of 100 kB can have thousands. */
const FAULT_CHARACTERS = 200;
/** Whatever else the process does gets its turn at least so often, as do the many short statements of an import. */
const MAX_TURN_MS = 1;

/**
 * Reads sources one after the other, in batches of bounded size.
 *
 * @param size may change while the batches are read
 */
export async function* feedBatches(
  sources: Iterable<FeedSource>,
  size: { readonly lines: number } = { lines: MAX_BATCH_LINES },
): AsyncGenerator<FeedBatch> {
  let [lines, characters, source] = [0, 0, ''];
  let [records, badLines]: [FeedRecord[], BadLine[]] = [[], []];
  let turn = performance.now();
  for (const { name, bytes } of sources) {
    source = name;
    // oxlint-disable no-await-in-loop -- in their order
    for await (const together of feedLines(bytes)) {
      for (const line of together) {
        if (performance.now() - turn > MAX_TURN_MS) {
          await setImmediate();
          turn = performance.now();
        }
        const read = 'text' in line ? readRecord(line.text) : { issues: [line.issue] };
        if ('record' in read) records.push(read.record);
        else badLines.push({ source, line: line.number, issues: read.issues });
        lines++;
        if ('text' in line) characters += line.text.length;
        if ('issues' in read) characters += read.issues.length * FAULT_CHARACTERS;
        if (lines < size.lines && characters < MAX_BATCH_CHARACTERS) continue;
        yield { source, lines, records, badLines };
        [lines, characters] = [0, 0];
        [records, badLines] = [[], []];
      }
    }
  }
  if (lines > 0) yield { source, lines, records, badLines };
}
