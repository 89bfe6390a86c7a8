import type { Issue } from '@hr/schemas';

/** A line of a feed that is not blank: its text, or what keeps it from being text. */
export type FeedLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly issue: Issue };

const LONGEST_LINE = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Cuts the bytes of a feed into lines, in constant memory. Lines end in LF or CRLF and count from 1; a byte order mark
 * before one is no part of it.
 */
export async function* feedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FeedLine> {
  let number = 0;
  let open: Buffer = Buffer.alloc(0);
  let overlong = false;
  for await (const chunk of bytes) {
    const found = Buffer.concat([open, chunk]);
    let start = 0;
    for (let end = found.indexOf(LINE_FEED); end >= 0; end = found.indexOf(LINE_FEED, start)) {
      number++;
      const line = readLine(number, found.subarray(start, end), overlong);
      if (line) yield line;
      overlong = false;
      start = end + 1;
    }
    open = found.subarray(start);
    // The rest of a line that is too long already need not be kept.
    overlong ||= open.length > LONGEST_LINE;
    if (overlong) open = open.subarray(0, 0);
  }
  const line = readLine(number + 1, open, overlong);
  if (line) yield line;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function readLine(number: number, bytes: Uint8Array, overlong: boolean): FeedLine | undefined {
  if (overlong || bytes.length > LONGEST_LINE) {
    return { number, issue: { pointer: '', code: 'too-long', detail: `must have at most ${LONGEST_LINE} bytes` } };
  }
  try {
    const text = decoder.decode(bytes);
    return /^[ \t\r]*$/u.test(text) ? undefined : { number, text };
  } catch {
    return { number, issue: { pointer: '', code: 'wrong-format', detail: 'must be UTF-8' } };
  }
}
