import { abortable } from './abortable.ts';
import type { Call } from './call.ts';
import { networkFault } from './network-fault.ts';

/** Reads a body as it arrives, within the deadline of the call. Whoever reads no further cancels it. */
export async function* chunks({ body }: Response, call: Call): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      // eslint-disable-next-line no-await-in-loop -- The next chunk is asked for when this one has been used.
      const { done, value } = await abortable(reader.read(), call.signal);
      if (done) return;
      yield value;
    }
  } catch (error) {
    call.signal.throwIfAborted();
    const { systemCode } = networkFault(error);
    const fact = 'the connection broke before the end of the answer';
    throw call.error('network', systemCode === undefined ? fact : `${fact}, ${systemCode}`);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
