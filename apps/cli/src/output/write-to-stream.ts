/**
 * Writes chunks to a stream and waits until it has taken each. If its reader goes away, as `head` does, the rest is not
 * requested.
 */
export async function writeToStream(
  stream: NodeJS.WritableStream,
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  // The callback of `write` gets the error first. The event comes later, and would end the process without a listener.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  try {
    for await (const chunk of chunks) await write(stream, chunk, signal);
  } catch (error) {
    if (!readerGone.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

const readerGone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

function ignore(): void {}

function write(stream: NodeJS.WritableStream, chunk: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    stream.write(chunk, (error) => {
      signal?.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    });
  });
}
