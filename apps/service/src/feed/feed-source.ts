import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_STALL_MS } from '../http/streamed-body.ts';

/** Where a feed comes from. */
export interface FeedSource {
  /** Its name in messages: a file's path. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether `bytes` can be read several times, each time from the start. */
  readonly isRepeatable?: boolean;
}

/** A source of a feed cannot be read, or not to its end. */
export class FeedSourceError extends Error {
  override readonly name = 'FeedSourceError';
  readonly code = 'feed-unreadable';

  constructor(source: string, cause: unknown) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    super(endings[code] ?? `The feed ${source} cannot be read: ${reasons[code] ?? message}.`, { cause });
  }
}

const GIB = 1024 ** 3;
/** Bounds what a request can cost: a feed of a million persons has a third of it. */
const MAX_RECEIVED_BYTES = 64 * GIB;
/** An import ends behind the batch in which it finds more. A strict one ends at the first. */
export const MAX_FAULTS = 100_000;
/** Feeds are packed 10 to 50 times, and nothing but bombs more than this. */
const MAX_PACKING = 200;
/** A feed of the same record again and again may begin like a bomb. */
const MAX_UNCHECKED_BYTES = 64 * 1024 * 1024;

/** Why an import ends before its feed does, whatever its source. */
const endings: Record<string, string> = {
  ECONNRESET: 'The sender closed the connection.',
  STREAM_STALLED: `The sender sent nothing for ${MAX_STALL_MS / 1000} s.`,
  STREAM_SLOW: 'The sender is too slow.',
  SERVICE_STOPPING: 'The service is stopping.',
  IMPORT_CANCELLED: 'An operator cancelled the import.',
  TOO_MANY_FAULTS: `The feed has more than ${MAX_FAULTS} faults: correct it.`,
};

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'access is denied',
  ENOSPC: 'there is no room for a copy of it in the folder for temporary files',
  Z_BUF_ERROR: 'its compressed data ends early',
  Z_DATA_ERROR: 'its compressed data is damaged',
};

/**
 * A file's feed, or that of `stdin` where the path is `-`. Gzip is recognised by its first bytes.
 *
 * @throws {FeedSourceError} when there is no such file.
 */
export async function feedSource(path: string, stdin: Readable = process.stdin): Promise<FeedSource> {
  if (path === '-') return { name: 'stdin', bytes: unpacked('stdin', () => stdin) };
  try {
    // A pipe can have a path, too.
    const isRepeatable = (await stat(path)).isFile();
    const read = (): AsyncIterator<Uint8Array> => unpacked(path, () => createReadStream(path));
    return { name: path, bytes: { [Symbol.asyncIterator]: read }, isRepeatable };
  } catch (error) {
    throw new FeedSourceError(path, error);
  }
}

/**
 * The feed in the body of a request, in bounds.
 *
 * @param isGzip whether it has to be gzip; otherwise it is recognised as that of a file
 */
export function receivedFeed(name: string, body: Readable, isGzip: boolean): FeedSource {
  // An error repeats nothing that was sent.
  const place = 'of the request';
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let [packed, size] = [0, 0];
    const onRead = (bytes: number): void => void (packed += bytes);
    for await (const chunk of unpacked(place, () => body, { isGzip, onRead })) {
      size += chunk.length;
      if (size > MAX_RECEIVED_BYTES) throw tooLarge(place, `has more than ${MAX_RECEIVED_BYTES / GIB} GiB unpacked`);
      if (size > MAX_UNCHECKED_BYTES && size > packed * MAX_PACKING) {
        throw tooLarge(place, `unpacks to more than ${MAX_PACKING} times its size`);
      }
      yield chunk;
    }
  }
  return { name, bytes: bounded() };
}

function tooLarge(name: string, detail: string): FeedSourceError {
  return new FeedSourceError(name, Object.assign(new Error(`it ${detail}`), { code: 'FEED_TOO_LARGE' }));
}

/** Copies a source to a temporary file, so that it can be read several times, until it is disposed of. */
export async function repeatable({ name, bytes }: FeedSource): Promise<FeedSource & AsyncDisposable> {
  const path = join(tmpdir(), `hr-feed-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    // The file stays readable here alone, and goes with this process however that ends.
    await rm(path);
    await file.writeFile(bytes);
  } catch (error) {
    await file.close();
    throw error instanceof FeedSourceError ? error : new FeedSourceError(name, error);
  }
  const read = (): AsyncIterator<Uint8Array> =>
    file.createReadStream({ start: 0, autoClose: false })[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return {
    name,
    bytes: { [Symbol.asyncIterator]: read },
    isRepeatable: true,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const GZIP = Buffer.from([0x1f, 0x8b]);

async function* unpacked(
  name: string,
  openStream: () => Readable,
  { isGzip = false, onRead }: { readonly isGzip?: boolean; readonly onRead?: (bytes: number) => void } = {},
): AsyncGenerator<Uint8Array> {
  const stream = openStream();
  try {
    const chunks = stream.iterator() as NodeJS.AsyncIterator<Buffer>;
    let head = Buffer.alloc(0);
    while (head.length < GZIP.length) {
      // oxlint-disable-next-line no-await-in-loop -- a chunk may be a single byte
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
      onRead?.(next.value.length);
    }
    async function* whole(): AsyncGenerator<Buffer> {
      yield head;
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
        onRead?.(chunk.length);
        yield chunk;
      }
    }
    yield* isGzip || head.subarray(0, GZIP.length).equals(GZIP) ? pipeline(whole, createGunzip(), () => {}) : whole();
  } catch (error) {
    throw new FeedSourceError(name, error);
  } finally {
    stream.destroy();
  }
}
