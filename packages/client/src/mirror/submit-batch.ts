import { bulk } from '../bulk.ts';
import type { HrClient } from '../hr-client.ts';
import { isHrError } from '../hr-error.ts';
import type { BatchPayment, Outbox, OutboxEntry, SubmitBatchOptions } from './outbox.ts';

const CONCURRENCY = 4;

/** Sends the payments of a batch that are not sent yet, and yields their entries. */
export async function* submitBatch(
  outbox: Outbox,
  hr: HrClient,
  batch: string,
  payments: Iterable<BatchPayment>,
  { signal, stop, maxWait, onProgress }: SubmitBatchOptions,
): AsyncGenerator<OutboxEntry, void, undefined> {
  const before = new Map<number | undefined, OutboxEntry>();
  for (const entry of outbox.entries({ batch })) if (entry.resentAs === undefined) before.set(entry.row, entry);
  const waiting = [...payments].filter(({ row }) => {
    const entry = before.get(row);
    return !entry || entry.state === 'refused' || (entry.state === 'unknown' && !outbox.mayPayTwice(entry));
  });

  const end = new AbortController();
  const ended: OutboxEntry[] = [];
  let failure: unknown;

  async function send({ row, contractId, payment }: BatchPayment): Promise<void> {
    try {
      const earlier = before.get(row);
      const entry = await (earlier
        ? outbox.resend(hr, earlier.id, { signal })
        : outbox.submit(hr, contractId, payment, { batch, row, signal }));
      ended.push(entry);
      if (endsBatch(entry)) end.abort();
    } catch (error) {
      // What the outbox cannot store concerns all payments. The errors of calls are for `bulk`, which repeats some.
      if (!isHrError(error)) {
        failure ??= error;
        end.abort();
      }
      throw error;
    }
  }

  const signals = [end.signal, signal, stop].filter((each) => each !== undefined);
  const options = { concurrency: CONCURRENCY, maxWait, onProgress, signal: AbortSignal.any(signals) };
  try {
    for await (const _ of bulk(waiting, send, options)) yield* ended.splice(0);
  } catch (error) {
    // Otherwise it was not repeated, or did not begin.
    if (signal?.aborted || !(end.signal.aborted || stop?.aborted)) failure ??= error;
  }
  yield* ended.splice(0);
  if (failure !== undefined) throw failure;
}

/** Whether people have to look into a payment, or every other one would be refused, too. */
function endsBatch({ state, code }: OutboxEntry): boolean {
  return state === 'unknown' || (state === 'refused' && (code === 'unauthorized' || code === 'forbidden'));
}
