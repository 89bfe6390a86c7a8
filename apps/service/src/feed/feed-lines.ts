import { isUtf8 } from 'node:buffer';
import type { Issue } from '@hr/schemas';

/** A line of a feed that is not blank: its text, or the reason why it has none. */
export type FeedLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly issue: Issue };

const MAX_LINE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Cuts the bytes of a feed into lines, in constant memory: yields those that end in the same chunk together. Lines end in
 * LF or CRLF and count from 1. A byte order mark at the start of a line does not belong to it.
 */
export async function* feedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly FeedLine[]> {
  let number = 1;
  let open: Buffer = Buffer.alloc(0);
  let isOverlong = false;
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end >= 0) {
      const whole = Buffer.concat([open, chunk.subarray(0, end)]);
      const texts = isOverlong ? undefined : textOf(whole)?.split('\n');
      const lines = texts ?? [...cutLines(whole, isOverlong)];
      yield lines.flatMap((line, index) => readLine(number + index, line));
      number += lines.length;
      open = Buffer.alloc(0);
      isOverlong = false;
    }
    // The rest of a line that is too long already is not kept.
    if (isOverlong) continue;
    open = Buffer.concat([open, chunk.subarray(end + 1)]);
    isOverlong = open.length > MAX_LINE_BYTES;
    if (isOverlong) open = Buffer.alloc(0);
  }
  const [last] = cutLines(open, isOverlong);
  yield readLine(number, last ?? '');
}

/** The text of some lines, of which none is too long; `undefined` where that is not certain, or where it is not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  return bytes.length <= MAX_LINE_BYTES && isUtf8(bytes) ? bytes.toString() : undefined;
}

/** The lines one by one, so that a bad one spoils no other. */
function* cutLines(bytes: Buffer, isFirstOverlong: boolean): Generator<string | Issue> {
  for (let start = 0, end; start <= bytes.length; start = end + 1) {
    end = bytes.indexOf(LINE_FEED, start);
    if (end < 0) end = bytes.length;
    const isOverlong = end - start > MAX_LINE_BYTES || (isFirstOverlong && start === 0);
    yield isOverlong ? overlong : (textOf(bytes.subarray(start, end)) ?? notText);
  }
}

const overlong: Issue = { pointer: '', code: 'too-long', detail: `must have at most ${MAX_LINE_BYTES} bytes` };
const notText: Issue = { pointer: '', code: 'wrong-format', detail: 'must be UTF-8' };

function readLine(number: number, line: string | Issue): readonly FeedLine[] {
  if (typeof line !== 'string') return [{ number, issue: line }];
  const text = line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  return /^[ \t\r]*$/u.test(text) ? [] : [{ number, text }];
}
