import { PassThrough, type Duplex, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** A sender that sends nothing for so long is cut off, however long the whole request takes. */
export const MAX_STALL_MS = 30_000;
/** So is one for which the service waits so long in all, and a second more for each of so many bytes that it sent. */
const MAX_WAIT_MS = 5 * 60_000;
const MIN_BYTES_A_SECOND = 1024;
const TICK_MS = 1000;
/** After an early response the sender may go on for so long, to see it. */
const MAX_REST_MS = 10_000;

const streaming = new WeakSet<Duplex>();

/** Whether a connection has a request whose body is read as a stream. */
export function isStreaming(connection: Duplex): boolean {
  return streaming.has(connection);
}

/**
 * The body of a request as a stream, which can be destroyed without the connection: the response is still to come. It is
 * destroyed, and `signal` aborted, with an error of the `code` `ECONNRESET`, `STREAM_STALLED`, `STREAM_SLOW` or
 * `SERVICE_STOPPING`. The sender can also leave when all of it is read. Call `end` when the request is handled.
 */
export function streamedBody(
  { raw: request }: FastifyRequest,
  stopping: AbortSignal,
): { readonly stream: Readable; readonly signal: AbortSignal; readonly end: () => void } {
  const { socket } = request;
  const stream = new PassThrough();
  const failed = new AbortController();
  const fail = (code: string): void => {
    const error = Object.assign(new Error(code), { code });
    failed.abort(error);
    stream.destroy(error);
  };
  const stop = (): void => fail('SERVICE_STOPPING');
  const leave = (): void => fail('ECONNRESET');
  let [bytes, waitedMs, quietMs] = [0, 0, 0];
  const timer = setInterval(() => {
    // It stands still on purpose while the database is busy.
    if (request.complete || request.isPaused()) return;
    waitedMs += TICK_MS;
    quietMs += TICK_MS;
    if (quietMs > MAX_STALL_MS) fail('STREAM_STALLED');
    else if (waitedMs > MAX_WAIT_MS + (bytes / MIN_BYTES_A_SECOND) * 1000) fail('STREAM_SLOW');
  }, TICK_MS);
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    quietMs = 0;
  };

  streaming.add(socket);
  socket.setTimeout(0);
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop);
  socket.once('close', leave);
  request.on('data', count);
  // Who reads it gets the error, too.
  stream.on('error', () => {});
  request.pipe(stream);
  stream.once('close', () => {
    clearInterval(timer);
    request.off('data', count).unpipe(stream);
    if (request.complete || request.destroyed) return;
    const rest = setTimeout(() => socket.destroy(), MAX_REST_MS).unref();
    request.once('close', () => clearTimeout(rest)).resume();
  });
  request.once('close', () => streaming.delete(socket));
  return {
    stream,
    signal: failed.signal,
    end() {
      stopping.removeEventListener('abort', stop);
      socket.off('close', leave);
      stream.destroy();
    },
  };
}
