import { operations } from '@hr/schemas';
import type { Answer, OperationId } from '@hr/schemas';
import { abortable } from './abortable.ts';
import { Call } from './call.ts';
import { checkAnswer } from './check-answer.ts';
import { checkedRequest } from './checked-request.ts';
import type { CallInput } from './checked-request.ts';
import { checkedTimeout } from './hr-client-options.ts';
import type { CallOptions, HrClientSettings } from './hr-client-options.ts';
import { JsonArrayCutter, MalformedJsonArray } from './json-array-cutter.ts';
import { networkFault } from './network-fault.ts';
import { send } from './send.ts';

/**
 * Calls an operation and hands out its answer piece by piece, as it arrives: the elements of a list, or the one answer
 * (none when the body is empty). Nothing is sent before the first piece is asked for, no more is read than is asked for,
 * and leaving the loop cancels the rest.
 */
export async function* answers<Id extends OperationId>(
  settings: HrClientSettings,
  id: Id,
  input: CallInput<Id>,
  { signal, timeout = settings.timeout }: CallOptions = {},
): AsyncGenerator<Answer<Id>, void, undefined> {
  const call = new Call(id, settings.emit, checkedTimeout(timeout), signal);
  try {
    const request = checkedRequest(settings, call, input);
    const response = await send(settings, request, call);
    for await (const batch of batches(response, call)) {
      call.deadline.pause();
      for (const value of batch) {
        call.signal.throwIfAborted();
        checkAnswer(settings, call, value);
        call.elements++;
        yield value as Answer<Id>;
      }
      call.deadline.resume();
    }
  } catch (error) {
    throw call.failed(error);
  } finally {
    call.end();
  }
}

const OPEN_BRACKET = Uint8Array.of(0x5b);
const CLOSE_BRACKET = Uint8Array.of(0x5d);

/** Reads a body as the elements of an array. An answer that is no array is read as one between brackets of our own. */
async function* batches(response: Response, call: Call): AsyncGenerator<unknown[], void, undefined> {
  const { list, method } = operations[call.operation];
  const cutter = new JsonArrayCutter();
  try {
    if (!list) cutter.push(OPEN_BRACKET);
    for await (const chunk of chunks(response, call)) yield cutter.push(chunk);
    if (!list) yield cutter.push(CLOSE_BRACKET);
    cutter.end();
  } catch (error) {
    if (error instanceof MalformedJsonArray) throw call.error('invalid-response', `the answer ${error.message}`);
    throw error;
  }
  // The body of the answer to a patch is not specified (section 4.1), so it may be missing.
  const isEnough = call.elements === 1 || (call.elements === 0 && method === 'PATCH');
  if (!list && !isEnough) throw call.error('invalid-response', 'the answer is not one JSON value');
}

async function* chunks({ body }: Response, call: Call): AsyncGenerator<Uint8Array, void, undefined> {
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
