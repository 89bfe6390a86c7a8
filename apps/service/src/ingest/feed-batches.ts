import type { Issue } from '@hr/schemas';
import { feedLines } from './feed-lines.ts';
import { readRecord } from './feed-record.ts';
import type { FeedRecord } from './feed-record.ts';
import type { FeedSource } from './feed-source.ts';

/** A line of a feed that cannot be taken. It tells places, never values. */
export interface BadLine {
  /** The name of the source. */
  readonly source: string;
  /** 1 is the first. */
  readonly line: number;
  readonly issues: readonly Issue[];
}

/** Some lines of the feed that follow each other. */
export interface FeedBatch {
  /** The source of the last of them. */
  readonly source: string;
  /** How many there are, bad ones too, without blank ones. */
  readonly lines: number;
  readonly records: readonly FeedRecord[];
}

const LINES_A_BATCH = 5000;
const CHARACTERS_A_BATCH = 4 * 1024 * 1024;

/** Reads sources one after the other, in batches of bounded size. */
export async function* feedBatches(
  sources: Iterable<FeedSource>,
  onBadLine: (badLine: BadLine) => void,
): AsyncGenerator<FeedBatch> {
  let records: FeedRecord[] = [];
  let lines = 0;
  let characters = 0;
  let last = '';
  for (const { name, bytes } of sources) {
    last = name;
    // oxlint-disable-next-line no-await-in-loop -- in their order
    for await (const line of feedLines(bytes)) {
      const read = 'text' in line ? readRecord(line.text) : { issues: [line.issue] };
      if ('record' in read) records.push(read.record);
      else onBadLine({ source: name, line: line.number, issues: read.issues });
      lines++;
      if ('text' in line) characters += line.text.length;
      if (lines < LINES_A_BATCH && characters < CHARACTERS_A_BATCH) continue;
      yield { source: name, lines, records };
      records = [];
      lines = 0;
      characters = 0;
    }
  }
  if (lines > 0) yield { source: last, lines, records };
}
