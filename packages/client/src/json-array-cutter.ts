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

/** Far above any element of the API, and harmless to a process. */
const MAX_ELEMENT_BYTES = 16 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes are not one JSON array. The message names the place, and quotes no bytes. */
export class MalformedJsonArray extends Error {
  override name = 'MalformedJsonArray';
}

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
  #depth = 0;
  #inString = false;
  #escaped = false;
  #pending: Uint8Array[] = [];
  #elementBytes = 0;
  #count = 0;

  constructor(maxElementBytes: number = MAX_ELEMENT_BYTES) {
    this.#maxElementBytes = maxElementBytes;
  }

  /** Takes the next bytes and returns the elements they complete. */
  push(chunk: Uint8Array): unknown[] {
    const whole = this.#parseWhole(chunk);
    if (whole) return whole;
    let start = 0;
    while (this.#stage === 'before' && start < chunk.length) this.#open(chunk[start++]);
    if (this.#stage !== 'inside') {
      this.#expectWhiteSpace(chunk, start);
      return [];
    }

    const cut = this.#scan(chunk, start);
    if (cut === -1) {
      this.#pending.push(chunk.subarray(start));
      return [];
    }
    this.#pending.push(chunk.subarray(start, cut));
    const elements = this.#parsePending();
    if (this.#isInside()) this.#pending.push(chunk.subarray(cut + 1));
    else this.#expectWhiteSpace(chunk, cut + 1);
    return elements;
  }

  /** Call it at the end of the bytes. It throws for a truncated body. */
  end(): void {
    if (this.#stage === 'before') throw new MalformedJsonArray('is not a JSON array: there is nothing in it');
    if (this.#stage === 'inside') throw new MalformedJsonArray(`ended within element ${this.#count + 1}`);
  }

  /** Parses a short list, which comes in one piece, without a scan. */
  #parseWhole(chunk: Uint8Array): unknown[] | undefined {
    if (this.#stage !== 'before' || this.#markBytes > 0 || chunk.at(-1) !== CLOSE_BRACKET) return undefined;
    if (chunk.length > this.#maxElementBytes) return undefined;
    try {
      const value: unknown = JSON.parse(decoder.decode(chunk));
      if (!Array.isArray(value)) return undefined;
      this.#stage = 'after';
      this.#count = value.length;
      return value;
    } catch {
      // The scan finds the fault, or this was not the end.
      return undefined;
    }
  }

  // A method, because the compiler would not see that the scan changes the stage.
  #isInside(): boolean {
    return this.#stage === 'inside';
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
      this.#depth = 1;
    } else if (!isWhiteSpace(byte)) {
      throw new MalformedJsonArray('is not a JSON array: it does not begin with "["');
    }
  }

  /** Returns where the last comma between elements, or the closing bracket, is in the chunk; -1 for neither. */
  #scan(chunk: Uint8Array, start: number): number {
    // In locals, because this loop runs for every byte.
    let depth = this.#depth;
    let inString = this.#inString;
    let elementStart = start - this.#elementBytes;
    let cut = -1;
    let at = this.#escaped ? start + 1 : start;
    const { length } = chunk;
    for (;;) {
      if (inString) {
        while (at < length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
        if (at >= length) break;
        inString = false;
        at++;
      }
      while (at < length && structural[chunk[at] as number] === 0) at++;
      if (at >= length) break;
      const byte = chunk[at];
      if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++;
      } else if (byte !== COMMA) {
        depth--;
        if (depth === 0) {
          if (byte === CLOSE_BRACE) throw this.#malformed();
          this.#stage = 'after';
          cut = at;
          break;
        }
      } else if (depth === 1) {
        this.#expectWithinBound(at - elementStart);
        elementStart = at + 1;
        cut = at;
      }
      at++;
    }

    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = at > length;
    this.#elementBytes = Math.min(at, length) - elementStart;
    this.#expectWithinBound(this.#elementBytes);
    return cut;
  }

  #parsePending(): unknown[] {
    const isWholeArray = this.#stage === 'after' && this.#count === 0;
    const size = this.#pending.reduce((sum, piece) => sum + piece.length, 0);
    const bytes = new Uint8Array(size + 2);
    bytes[0] = OPEN_BRACKET;
    let at = 1;
    for (const piece of this.#pending) {
      bytes.set(piece, at);
      at += piece.length;
    }
    bytes[at] = CLOSE_BRACKET;
    this.#pending = [];

    let elements: unknown[];
    try {
      elements = JSON.parse(decoder.decode(bytes)) as unknown[];
    } catch {
      // Not as a cause: the message of a SyntaxError quotes the text.
      throw this.#malformed();
    }
    // An empty element, such as in [1,]: only a whole array may be empty.
    if (elements.length === 0 && !isWholeArray) throw this.#malformed();
    this.#count += elements.length;
    return elements;
  }

  #expectWithinBound(elementBytes: number): void {
    if (elementBytes > this.#maxElementBytes) {
      throw new MalformedJsonArray(`has an element of more than ${this.#maxElementBytes} bytes`);
    }
  }

  #expectWhiteSpace(chunk: Uint8Array, start: number): void {
    for (let at = start; at < chunk.length; at++) {
      if (!isWhiteSpace(chunk[at])) throw new MalformedJsonArray('goes on after the end of its JSON array');
    }
  }

  #malformed(): MalformedJsonArray {
    return new MalformedJsonArray(`is not valid JSON${this.#count === 0 ? '' : `, after element ${this.#count}`}`);
  }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}
