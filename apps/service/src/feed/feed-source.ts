import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

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
    super(`The feed ${source} cannot be read: ${reasons[code] ?? message}.`, { cause });
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'access is denied',
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

async function* unpacked(name: string, openStream: () => Readable): AsyncGenerator<Uint8Array> {
  const stream = openStream();
  try {
    const chunks = stream.iterator() as NodeJS.AsyncIterator<Buffer>;
    let head = Buffer.alloc(0);
    while (head.length < GZIP.length) {
      // oxlint-disable-next-line no-await-in-loop -- a chunk may be a single byte
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    async function* whole(): AsyncGenerator<Buffer> {
      yield head;
      yield* chunks;
    }
    yield* head.subarray(0, GZIP.length).equals(GZIP) ? pipeline(whole, createGunzip(), () => {}) : whole();
  } catch (error) {
    throw new FeedSourceError(name, error);
  } finally {
    stream.destroy();
  }
}
