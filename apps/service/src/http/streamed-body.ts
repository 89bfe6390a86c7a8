import { PassThrough } from 'node:stream';
import type { Duplex, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** A sender that sends nothing for so long is cut off, however long the whole request takes. */
export const MAX_STALL_MS = 30_000;
/** After an early response the sender may go on for so long, to see it. */
const MAX_REST_MS = 10_000;

const streaming = new WeakSet<Duplex>();

/** Whether a connection has a request whose body is read as a stream. */
export function isStreaming(connection: Duplex): boolean {
  return streaming.has(connection);
}

/**
 * The body of a request as a stream that fails with the `code` `ECONNRESET`, `STREAM_STALLED` or `SERVICE_STOPPING`.
 * It can be destroyed without the connection, for which the response is still to come.
 */
export function streamedBody({ raw: request }: FastifyRequest, stopping: AbortSignal): Readable {
  const { socket } = request;
  const body = new PassThrough();
  const fail = (code: string): void => void body.destroy(Object.assign(new Error(code), { code }));
  const stop = (): void => fail('SERVICE_STOPPING');
  // It stands still on purpose while the database is busy.
  const stall = setTimeout(() => (request.isPaused() ? stall.refresh() : fail('STREAM_STALLED')), MAX_STALL_MS);
  const refresh = (): void => void stall.refresh();

  streaming.add(socket);
  socket.setTimeout(0);
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop);
  request.on('data', refresh).on('resume', refresh);
  request.once('error', () => fail('ECONNRESET'));
  // Who reads it gets the error, too.
  body.on('error', () => {});
  request.pipe(body);
  body.once('close', () => {
    clearTimeout(stall);
    stopping.removeEventListener('abort', stop);
    request.off('data', refresh).off('resume', refresh).unpipe(body);
    if (request.complete || request.destroyed) return;
    const rest = setTimeout(() => socket.destroy(), MAX_REST_MS).unref();
    request.once('close', () => clearTimeout(rest)).resume();
  });
  request.once('close', () => streaming.delete(socket));
  return body;
}
