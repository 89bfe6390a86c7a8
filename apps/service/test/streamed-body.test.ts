import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isStreaming, MAX_STALL_MS, streamedBody } from '../src/http/streamed-body.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
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
  return { socket, request, stopping, ...body };
}

test('a sender that stalls is cut off, and one that waits for its reader is not', async () => {
  const { socket, request, stream, signal } = receiving();
  expect(isStreaming(socket)).toBe(true);
  request.write(Buffer.alloc(1024 * 1024));
  await setImmediate();
  expect(request.isPaused()).toBe(true);
  vi.advanceTimersByTime(10 * MAX_STALL_MS);
  stream.resume();
  await setImmediate();
  vi.advanceTimersByTime(MAX_STALL_MS);
  request.write('{}');
  await setImmediate();
  vi.advanceTimersByTime(MAX_STALL_MS);
  expect(stream.destroyed).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(stream.errored).toMatchObject({ code: 'STREAM_STALLED' });
  expect(signal.reason).toBe(stream.errored);
});

test.each([
  [1, 'STREAM_SLOW'],
  [20 * 1024, undefined],
])('a sender that sends %i bytes each 20 s ends with %s', async (size, code) => {
  const { request, stream } = receiving();
  stream.resume();
  for (let seconds = 0; seconds < 600 && !stream.destroyed; seconds += 20) {
    request.write(Buffer.alloc(size));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await setImmediate();
    vi.advanceTimersByTime(20_000);
  }
  expect(stream.errored?.message).toBe(code);
});

test('a body that has arrived can wait for its reader, and its sender can still leave', async () => {
  const { socket, request, stream, signal, end } = receiving();
  request.end('{}');
  request.complete = true;
  await setImmediate();
  vi.advanceTimersByTime(100 * MAX_STALL_MS);
  expect(stream.destroyed).toBe(false);
  await once(stream.resume(), 'close');
  socket.destroy();
  await setImmediate();
  expect(signal.reason).toMatchObject({ code: 'ECONNRESET' });
  end();
});

test('an end of the body leaves the connection open for the response, and no longer', async () => {
  const { socket, request, stopping, stream, signal, end } = receiving();
  stopping.abort();
  expect(stream.errored).toMatchObject({ code: 'SERVICE_STOPPING' });
  expect(signal.reason).toBe(stream.errored);
  end();
  await setImmediate();
  // What still comes is dropped.
  expect(request.readableFlowing).toBe(true);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(MAX_STALL_MS);
  expect(socket.destroyed).toBe(true);
  expect(socket.listenerCount('close')).toBe(0);
});
