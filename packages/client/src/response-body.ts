import type { Call } from './call.ts';
import { STALLED, afterArrivals, type Deadline } from './deadline.ts';
import type { HrError } from './hr-error.ts';
import { networkFault } from './network-fault.ts';

/** How long bytes that have arrived are worked on before timers and other work of the program have a turn. */
const MAX_TURN_MS = 100;
/** A service may end a list if the client reads nothing for a minute. */
const SLOW_READER_MS = 30_000;

/** The body of a response, read as it arrives. */
export class ResponseBody {
  readonly #call: Call;
  readonly #deadline: Deadline;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isComplete = false;
  #turnStartedAt = performance.now();

  /** @param deadline - How long to wait for bytes; as long as the call waits by default. */
  constructor({ body }: Response, call: Call, deadline: Deadline = call.deadline) {
    this.#call = call;
    this.#deadline = deadline;
    this.#reader = body?.getReader();
  }

  /** Whether all bytes were read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Waits for so many bytes, or for those before the end. Meanwhile the call's clock runs. */
  async read(minBytes: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    this.#call.deadline.resume();
    try {
      if (performance.now() - this.#turnStartedAt > MAX_TURN_MS) {
        // As late as the timer of the deadline, if that is due.
        await this.#deadline.wait(() => new Promise<void>((resolve) => void afterArrivals(0, resolve)));
        this.#turnStartedAt = performance.now();
      }
      while (size < minBytes && !this.#isComplete) {
        // oxlint-disable-next-line no-await-in-loop -- back-pressure: the next chunk is read when this one is used
        const value = (await this.#deadline.wait(() => this.#reader?.read(), this.#call.idleTimeout))?.value;
        if (value) {
          pieces.push(value);
          size += value.length;
        } else this.#isComplete = true;
      }
    } catch (error) {
      this.#deadline.signal.throwIfAborted();
      if (error === STALLED) {
        throw this.#call.error('timeout', `no byte of the response for ${this.#call.idleTimeout} ms`, {
          remedy: 'Try again, or increase idleTimeout.',
        });
      }
      throw this.#broken(error);
    }
    return joined(pieces, size);
  }

  /** Reads a whole body as text, without a byte order mark; undefined if it is not UTF-8 or exceeds `maxBytes`. */
  async text(maxBytes: number): Promise<string | undefined> {
    const bytes = await this.read(maxBytes + 1);
    return bytes.length > maxBytes ? undefined : utf8Text(bytes);
  }

  /** Gives up the bytes that were not read. */
  cancel(): void {
    if (!this.#isComplete) this.#reader?.cancel().catch(() => undefined);
  }

  #broken(error: unknown): HrError {
    const { reason } = networkFault(error, false);
    const { pausedMs } = this.#call.deadline;
    const fact = 'the connection broke before the end of the response';
    return this.#call.error('network', reason === undefined ? fact : `${fact}, ${reason}`, {
      remedy: pausedMs > SLOW_READER_MS ? slowReaderRemedy(pausedMs) : undefined,
    });
  }
}

function slowReaderRemedy(pausedMs: number): string {
  const seconds = Math.round(pausedMs / 1000);
  return `Your program worked on the elements for ${seconds} s meanwhile, and the service ends a list that is not read for a minute. Await the list first, or store the elements and work on them after the loop.`;
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
