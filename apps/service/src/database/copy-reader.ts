import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import type { Elements } from './lists.ts';

/** So many bytes wait for the reader before the connection is paused. */
const MAX_WAITING_BYTES = 128 * 1024;

const COPY_DATA = 0x64;
/** The type of a message, and its length without the type. */
const MESSAGE_HEADER = 5;
const SIGNATURE = Buffer.from('PGCOPY\n\u00FF\r\n\0', 'latin1');
/** The signature, flags, and the length of an extension that PostgreSQL does not use. */
const FILE_HEADER = SIGNATURE.length + 4 + 4;
const FIELD_COUNT = 2;
const FIELD_LENGTH = 4;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;

interface Rows extends Elements {
  readonly lastKey: string;
}

/**
 * Reads elements and their keys by COPY in binary format, which PostgreSQL need not escape. It moves the elements
 * together in the buffer that the socket has filled, without decoding them.
 *
 * It stands before pg's parser, which would make an object of each row, and hands all other messages on to it.
 */
export class CopyReader implements Submittable {
  /** How many rows have been taken. */
  count = 0;
  /** The key of the last row that has been taken. */
  lastKey: string | undefined;
  readonly startedAt = performance.now();
  receivedAt = performance.now();
  /** Since when the connection has been paused, as the reader takes nothing. */
  pausedAt: number | undefined;
  /** Whether it ended before the last row. */
  isCut = false;

  readonly #statement: string;
  readonly #release: (broken: boolean) => void;
  #socket: Duplex | undefined;
  #parseMessage: ((bytes: Buffer) => void) | undefined;
  /** The beginning of a message, and how long it is at least. */
  #begun: Buffer[] = [];
  #missingBytes = 0;
  #waiting: Rows[] = [];
  #waitingBytes = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #fault: unknown;

  /**
   * @param statement with the columns `element` and `last_key`
   * @param release is called once, when the connection is no longer needed; a broken one cannot be used again
   */
  constructor(statement: string, release: (broken: boolean) => void) {
    this.#statement = `copy (select element, last_key from (${statement}) as rows) to stdout (format binary)`;
    this.#release = release;
  }

  /** The next elements; `undefined` after the last. */
  async next(): Promise<Elements | undefined> {
    while (this.#waiting.length === 0 && !this.#ended) {
      // oxlint-disable-next-line no-await-in-loop -- until there are some
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const rows = this.#waiting.shift();
    if (rows === undefined) {
      if (this.#fault !== undefined) throw this.#fault;
      return undefined;
    }
    this.count += rows.count;
    this.lastKey = rows.lastKey;
    this.#waitingBytes -= rows.bytes.length;
    if (this.pausedAt !== undefined && this.#waitingBytes < MAX_WAITING_BYTES) {
      this.pausedAt = undefined;
      this.#socket?.resume();
    }
    return rows;
  }

  /** Ends the reading and closes the connection. What has not been taken is dropped: it would wait for a stalled reader. */
  cut(fault?: unknown): void {
    if (this.#ended) return;
    this.isCut = true;
    this.#waiting = [];
    this.#begun = [];
    this.#end(true, fault);
  }

  submit(connection: Connection): void {
    this.#socket = connection.stream;
    [this.#parseMessage] = this.#socket.listeners('data') as ((bytes: Buffer) => void)[];
    this.#socket.removeAllListeners('data').on('data', this.#receive);
    connection.query(this.#statement);
  }

  handleCommandComplete(): void {
    // What has been received says how many rows there are.
  }

  handleReadyForQuery(): void {
    this.#socket?.removeAllListeners('data').on('data', this.#parseMessage as (bytes: Buffer) => void);
    this.#end(false);
  }

  handleError(error: unknown): void {
    this.#end(true, error);
  }

  #end(broken: boolean, fault?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fault = fault;
    this.pausedAt = undefined;
    this.#release(broken);
    this.#wake?.();
  }

  readonly #receive = (bytes: Buffer): void => {
    if (this.#ended) return;
    this.receivedAt = performance.now();
    this.#begun.push(bytes);
    this.#missingBytes -= bytes.length;
    if (this.#missingBytes > 0) return;
    const buffer = this.#begun.length > 1 ? Buffer.concat(this.#begun) : bytes;
    const end = this.#takeMessages(buffer);
    this.#begun = end < buffer.length ? [buffer.subarray(end)] : [];
    this.#wake?.();
    if (this.#waitingBytes < MAX_WAITING_BYTES || this.#ended) return;
    this.pausedAt = performance.now();
    this.#socket?.pause();
  };

  /** Takes the complete messages of a buffer, and gives where the next one begins. */
  #takeMessages(buffer: Buffer): number {
    let at = 0;
    let count = 0;
    let written = 0;
    let keyAt = 0;
    this.#missingBytes = 0;
    while (at + MESSAGE_HEADER <= buffer.length) {
      const next = at + 1 + buffer.readUInt32BE(at + 1);
      if (next > buffer.length) {
        this.#missingBytes = next - buffer.length;
        break;
      }
      if (buffer[at] === COPY_DATA) {
        let field = at + MESSAGE_HEADER + FIELD_COUNT;
        if (buffer[at + MESSAGE_HEADER] === SIGNATURE[0]) field += FILE_HEADER;
        // The message after the last row has no fields.
        if (field < next) {
          const element = field + FIELD_LENGTH;
          keyAt = element + buffer.readUInt32BE(field);
          buffer[written] = COMMA;
          buffer[written + 1] = LINE_FEED;
          // What is before it is longer than these two.
          buffer.copyWithin(written + 2, element, keyAt);
          written += 2 + keyAt - element;
          count++;
        }
      } else {
        this.#parseMessage?.(buffer.subarray(at, next));
      }
      at = next;
    }
    if (count > 0) {
      // The elements are moved to the front, so the key of the last row is still there.
      const lastKey = buffer.toString('utf8', keyAt + FIELD_LENGTH, keyAt + FIELD_LENGTH + buffer.readUInt32BE(keyAt));
      this.#waiting.push({ bytes: buffer.subarray(0, written), count, lastKey });
      this.#waitingBytes += written;
    }
    return at;
  }
}
