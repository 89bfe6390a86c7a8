import { operations } from '@hr/schemas';
import type { ResponseOf, OperationId } from '@hr/schemas';
import { bodyText } from './body-text.ts';
import { Call } from './call.ts';
import { checkAnswer } from './check-answer.ts';
import { checkedRequest } from './checked-request.ts';
import type { CallInput } from './checked-request.ts';
import { chunks } from './chunks.ts';
import { checkedSignal, checkedTimeout } from './hr-client-options.ts';
import type { CallOptions, HrClientSettings } from './hr-client-options.ts';
import { JsonArrayCutter, MalformedJsonArray } from './json-array-cutter.ts';
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
): AsyncGenerator<ResponseOf<Id>, void, undefined> {
  const call = new Call(id, settings.open(id), checkedTimeout(timeout), checkedSignal(signal));
  try {
    const request = checkedRequest(settings, call, input);
    const response = await send(settings, request, call);
    for await (const batch of batches(response, call)) {
      call.deadline.pause();
      for (const value of batch) {
        call.signal.throwIfAborted();
        checkAnswer(settings, call, value);
        call.elements++;
        yield value as ResponseOf<Id>;
      }
      call.deadline.resume();
    }
  } catch (error) {
    throw call.failed(error);
  } finally {
    call.end();
  }
}

/** Far above any answer of the API that is no list. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Reads a body as the elements of an array, or as one value. */
async function* batches(response: Response, call: Call): AsyncGenerator<unknown[], void, undefined> {
  const { list, method } = operations[call.operation];
  if (list) {
    yield* elements(response, call);
    return;
  }
  const text = await bodyText(response, call, MAX_ANSWER_BYTES);
  // The body of the answer to a patch is not specified (section 4.1), so it may be missing.
  if (method === 'PATCH' && text?.trim() === '') return;
  yield [oneValue(text, call)];
}

async function* elements(response: Response, call: Call): AsyncGenerator<unknown[], void, undefined> {
  const cutter = new JsonArrayCutter();
  try {
    for await (const chunk of chunks(response, call)) yield cutter.push(chunk);
    cutter.end();
  } catch (error) {
    if (error instanceof MalformedJsonArray) throw call.error('invalid-response', `the answer ${error.message}`);
    throw error;
  }
}

function oneValue(text: string | undefined, call: Call): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    // Not as a cause: the message of a SyntaxError quotes the text.
    throw call.error('invalid-response', 'the answer is not one JSON value');
  }
}
