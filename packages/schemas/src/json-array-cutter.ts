const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What the scan stops at outside strings. A table takes one comparison for each other byte. */
const structural = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]) structural[byte] = 1;

const whiteSpace = new Uint8Array(256);
for (const byte of [SPACE, LINE_FEED, CARRIAGE_RETURN, TAB]) whiteSpace[byte] = 1;

/** Above it, room for a longer piece would cost more than it saves. */
const SPARE_BYTES = 1024 * 1024;
/** Far above any element of the API, and harmless to a process. */
const MAX_ELEMENT_BYTES = 16 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes are not one JSON array. The message names the place, and quotes no bytes. */
export class MalformedJsonArray extends Error {
  override name = 'MalformedJsonArray';
}

/** Where a scan of some bytes ended. */
interface Scan {
  readonly depth: number;
  readonly inString: boolean;
  /** Whether the next byte is escaped. */
  readonly escaped: boolean;
  /** The bytes since the last comma between elements, or before the closing bracket. */
  readonly elementBytes: number;
  /** The longest element before the last comma. */
  readonly longestBytes: number;
  /** Where the last comma between elements, or what closes the array, is; -1 for neither. */
  readonly cut: number;
  /** What closes the array. */
  readonly closing: number | undefined;
}

const atElement: Scan = {
  depth: 1,
  inString: false,
  escaped: false,
  elementBytes: 0,
  longestBytes: 0,
  cut: -1,
  closing: undefined,
};

/**
 * Cuts the bytes of a JSON array at its top-level commas, and parses the pieces with `JSON.parse`. So an array of any
 * size needs the memory of a few elements.
 *
 * Law: for every split into chunks it accepts exactly the bodies that `JSON.parse` reads as an array, with the same
 * elements, unless one exceeds the maximum. Like `Response.json()`, it reads UTF-8 with an optional byte order mark.
 *
 * The scan only finds the ends of elements. `JSON.parse` finds all other faults in a piece, such as `[1}`. Pieces that
 * are valid arrays in brackets are one valid array when joined.
 */
export class JsonArrayCutter {
  readonly #maxElementBytes: number;
  #stage: 'before' | 'inside' | 'after' = 'before';
  #markBytes = 0;
  #scan = atElement;
  #pending: Uint8Array[] = [];
  #count = 0;
  /** For the bytes to decode. */
  #piece = new Uint8Array(0);

  constructor(maxElementBytes: number = MAX_ELEMENT_BYTES) {
    this.#maxElementBytes = maxElementBytes;
  }

  /** Takes the next bytes and returns the elements they complete. */
  push(chunk: Uint8Array): unknown[] {
    const whole = this.#parseWhole(chunk);
    if (whole) return whole;
    let start = 0;
    while (this.#stage === 'before' && start < chunk.length) {
      this.#open(chunk[start++]);
      if (this.#stage === 'before' && this.#markBytes === BYTE_ORDER_MARK.length) start = endOfWhiteSpace(chunk, start);
    }
    if (this.#stage !== 'inside') {
      this.#expectWhiteSpace(chunk, start);
      return [];
    }
    return this.#cut(chunk.subarray(start));
  }

  /** Call it at the end of the bytes. It throws for a truncated body. */
  end(): void {
    if (this.#stage === 'before') throw new MalformedJsonArray('is not a JSON array: there is nothing in it');
    if (this.#stage === 'inside') throw new MalformedJsonArray(`ended within element ${this.#count + 1}`);
  }

  #open(byte: number | undefined): void {
    if (this.#markBytes < BYTE_ORDER_MARK.length) {
      if (byte === BYTE_ORDER_MARK[this.#markBytes]) {
        this.#markBytes++;
        return;
      }
      if (this.#markBytes > 0) throw new MalformedJsonArray('is not UTF-8');
      this.#markBytes = BYTE_ORDER_MARK.length;
    }
    if (byte === OPEN_BRACKET) {
      this.#stage = 'inside';
    } else if (!isWhiteSpace(byte)) {
      throw new MalformedJsonArray('is not a JSON array: it does not begin with "["');
    }
  }

  /** Parses a short list, which comes in one piece, without a scan. */
  #parseWhole(chunk: Uint8Array): unknown[] | undefined {
    if (this.#stage !== 'before' || this.#markBytes > 0 || chunk.at(-1) !== CLOSE_BRACKET) return undefined;
    const value = chunk.length > this.#maxElementBytes ? undefined : parsed(chunk);
    // The scan finds the fault, or this was not the end.
    if (!Array.isArray(value)) return undefined;
    this.#stage = 'after';
    this.#count = value.length;
    return value;
  }

  #cut(bytes: Uint8Array): unknown[] {
    if (bytes.length > 1 && !this.#scan.inString && endOfWhiteSpace(bytes, 0) === bytes.length) {
      const elementBytes = this.#scan.elementBytes + bytes.length;
      this.#expectWithinBound(elementBytes);
      this.#scan = { ...this.#scan, elementBytes };
      this.#pending.push(bytes.subarray(0, 1));
      return [];
    }
    const scan = scanned(bytes, this.#scan);
    this.#expectWithinBound(scan.longestBytes);
    if (scan.closing === CLOSE_BRACE) throw this.#malformed();
    this.#expectWithinBound(scan.elementBytes);
    if (scan.cut === -1) {
      this.#scan = scan;
      this.#pending.push(bytes);
      return [];
    }
    const elements = this.#parse(bytes.subarray(0, scan.cut));
    // An empty element, such as in [1,]: only a whole array may be empty.
    const isEmptyArray = scan.closing !== undefined && this.#count === 0;
    if (!elements || (elements.length === 0 && !isEmptyArray)) throw this.#malformed();
    this.#scan = scan;
    this.#count += elements.length;
    if (scan.closing === undefined) {
      this.#pending = [bytes.subarray(scan.cut + 1)];
    } else {
      this.#stage = 'after';
      this.#pending = [];
      this.#expectWhiteSpace(bytes, scan.cut + 1);
    }
    return elements;
  }

  /** The elements of the pending bytes and these; undefined if they are not valid. */
  #parse(last: Uint8Array): unknown[] | undefined {
    const pieces = [...this.#pending, last];
    const size = pieces.reduce((sum, { length }) => sum + length, 2);
    if (size > this.#piece.length) this.#piece = new Uint8Array(size > SPARE_BYTES ? size : size * 2);
    this.#piece[0] = OPEN_BRACKET;
    let at = 1;
    for (const piece of pieces) {
      this.#piece.set(piece, at);
      at += piece.length;
    }
    this.#piece[at] = CLOSE_BRACKET;
    return parsed(this.#piece.subarray(0, size)) as unknown[] | undefined;
  }

  #expectWithinBound(elementBytes: number): void {
    if (elementBytes > this.#maxElementBytes) {
      throw new MalformedJsonArray(`has an element of more than ${this.#maxElementBytes} bytes`);
    }
  }

  #expectWhiteSpace(bytes: Uint8Array, start: number): void {
    if (endOfWhiteSpace(bytes, start) < bytes.length) {
      throw new MalformedJsonArray('goes on after the end of its JSON array');
    }
  }

  #malformed(): MalformedJsonArray {
    return new MalformedJsonArray(`is not valid JSON${this.#count === 0 ? '' : `, after element ${this.#count}`}`);
  }
}

/** Scans the bytes, from where another scan has ended. */
function scanned(bytes: Uint8Array, before: Scan): Scan {
  // In locals, because this loop runs for every byte.
  let { depth, inString } = before;
  let elementStart = -before.elementBytes;
  let longestBytes = 0;
  let cut = -1;
  let closing: number | undefined;
  let at = before.escaped ? 1 : 0;
  const { length } = bytes;

  for (;;) {
    if (inString) {
      const near = Math.min(at + SHORT_STRING, length);
      while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      if (at < length && bytes[at] !== QUOTE) at = nextQuote(bytes, at);
      if (at >= length) break;
      if (bytes[at] !== QUOTE) continue;
      inString = false;
      at++;
    }
    while (at < length && structural[bytes[at] as number] === 0) at++;
    if (at >= length) break;
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      inString = true;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if (byte !== COMMA) {
      depth--;
      if (depth === 0) {
        cut = at;
        closing = byte;
        break;
      }
    } else if (depth === 1) {
      longestBytes = Math.max(longestBytes, at - elementStart);
      elementStart = at + 1;
      cut = at;
    }
    at++;
  }
  const elementBytes = Math.min(at, length) - elementStart;
  return { depth, inString, escaped: at > length, elementBytes, longestBytes, cut, closing };
}

/** How far a string is read byte by byte. Beyond it, a search of the platform costs less. */
const SHORT_STRING = 64;

/** The next quote of a string, or what follows it if it is escaped; the same at the end of the bytes if there is none. */
function nextQuote(bytes: Uint8Array, start: number): number {
  const quote = bytes.indexOf(QUOTE, start);
  const end = quote === -1 ? bytes.length : quote;
  let backslashes = 0;
  while (end - backslashes > start && bytes[end - backslashes - 1] === BACKSLASH) backslashes++;
  return end + (backslashes % 2);
}

/** What `JSON.parse` makes of UTF-8; undefined if it is not valid. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // Not as a cause: the message of a SyntaxError quotes the text.
    return undefined;
  }
}

function endOfWhiteSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  const { length } = bytes;
  while (at < length && whiteSpace[bytes[at] as number] === 1) at++;
  return at;
}

function isWhiteSpace(byte: number | undefined): boolean {
  return whiteSpace[byte ?? 0] === 1;
}
