import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isStreaming, MAX_STALL_MS, streamedBody } from '../src/http/streamed-body.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request that is being received, and the stream of its body. */
function receiving() {
  const socket = Object.assign(new PassThrough(), { setTimeout: vi.fn<(ms: number) => void>() });
  const request = Object.assign(new PassThrough(), { socket, complete: false });
  const stopping = new AbortController();
  const body = streamedBody({ raw: request } as unknown as FastifyRequest, stopping.signal);
  return { socket, request, stopping, body };
}

/** Lets streams hand on what they have. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('a sender that stalls is cut off, and one that waits for its reader is not', async () => {
  const { socket, request, body } = receiving();
  expect(isStreaming(socket)).toBe(true);
  request.write(Buffer.alloc(1024 * 1024));
  await settle();
  expect(request.isPaused()).toBe(true);
  vi.advanceTimersByTime(10 * MAX_STALL_MS);
  expect(body.destroyed).toBe(false);
  body.resume();
  await settle();
  vi.advanceTimersByTime(MAX_STALL_MS - 1);
  request.write('{}');
  await settle();
  vi.advanceTimersByTime(MAX_STALL_MS - 1);
  expect(body.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(body.errored).toMatchObject({ code: 'STREAM_STALLED' });
});

test('an end of the body leaves the connection open for the response, and no longer', async () => {
  const { socket, request, stopping, body } = receiving();
  stopping.abort();
  expect(body.errored).toMatchObject({ code: 'SERVICE_STOPPING' });
  await settle();
  // What still comes is dropped.
  expect(request.readableFlowing).toBe(true);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(MAX_STALL_MS);
  expect(socket.destroyed).toBe(true);
});
