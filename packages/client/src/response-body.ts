import type { Call } from './call.ts';
import type { Deadline } from './deadline.ts';
import { networkFault } from './network-fault.ts';

/** A service may end a list if the client reads nothing for a minute. */
const SLOW_READER_MS = 30_000;

/**
 * Reads a body chunk by chunk as it arrives. The call's clock runs only while this waits for bytes; ending the iteration
 * cancels the body.
 */
export async function* chunks(
  { body }: Response,
  call: Call,
  deadline: Deadline = call.deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      call.deadline.resume();
      // oxlint-disable-next-line no-await-in-loop -- back-pressure: the next chunk is read when this one is used
      const { done, value } = await deadline.wait(reader.read());
      call.deadline.pause();
      if (done) return;
      yield value;
    }
  } catch (error) {
    deadline.signal.throwIfAborted();
    const { systemCode } = networkFault(error);
    const fact = 'the connection broke before the end of the response';
    throw call.error('network', systemCode === undefined ? fact : `${fact}, ${systemCode}`, {
      remedy: call.deadline.pausedMs > SLOW_READER_MS ? slowReaderRemedy(call.deadline.pausedMs) : undefined,
    });
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function slowReaderRemedy(pausedMs: number): string {
  const seconds = Math.round(pausedMs / 1000);
  return `Your program worked on the elements for ${seconds} s meanwhile, and the service ends a list that is not read for a minute. Await the list first, or store the elements and work on them after the loop.`;
}

/** Reads a whole body as text, without a byte order mark; undefined if it is not UTF-8 or exceeds `maxBytes`. */
export async function bodyText(
  response: Response,
  call: Call,
  maxBytes: number,
  deadline?: Deadline,
): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks(response, call, deadline)) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    pieces.push(chunk);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  } catch {
    return undefined;
  }
}
