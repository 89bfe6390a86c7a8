import { endpoints, responseCheck } from '@hr/schemas/checks';
import type { OperationId, ResponseCheck } from '@hr/schemas/checks';
import { Call } from './call.ts';
import { checkedRequest } from './checked-request.ts';
import type { CallInput } from './checked-request.ts';
import { callSettings } from './hr-client-options.ts';
import type { CallOptions, HrClientSettings } from './hr-client-options.ts';
import type { HrError } from './hr-error.ts';
import { ownProblem, places, placesOf } from './hr-problem.ts';
import { JsonArrayCutter, MalformedJsonArray } from './json-array-cutter.ts';
import { bodyText, chunks } from './response-body.ts';
import { send } from './send.ts';

/**
 * Calls an operation and yields the elements of a list as they arrive, or the one body (nothing if it is empty). It
 * sends the request when the first value is requested, and reads only as far as needed. Leaving the loop cancels the
 * rest.
 */
export async function* callOperation<Id extends OperationId>(
  client: HrClientSettings,
  id: Id,
  input: CallInput<Id>,
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const settings = callSettings(client, options);
  const call = new Call(id, settings, input.idempotencyKey);
  const check = responseCheck(id, { changes: (input.query as { changedSince?: string })?.changedSince !== undefined });
  const traced = settings.trace('call', call.trace, async () =>
    send(settings, checkedRequest(settings, call, input), call),
  );
  let failure: HrError | undefined;
  try {
    const response = await traced.result;
    for await (const batch of batches(response, call)) {
      for (const value of batch) {
        call.signal.throwIfAborted();
        checkResponse(settings, call, check, value);
        call.elements++;
        yield value;
      }
    }
  } catch (error) {
    failure = call.failed(error);
    throw failure;
  } finally {
    call.end();
    traced.end(failure);
  }
}

/** Far above any response of the API that is not a list. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Reads a body as the elements of an array, or as one value. */
async function* batches(response: Response, call: Call): AsyncGenerator<unknown[], void, undefined> {
  const { list, method } = endpoints[call.operation];
  if (list) {
    yield* elements(response, call);
    return;
  }
  const text = await bodyText(response, call, MAX_RESPONSE_BYTES);
  // The specification does not show the body of the response to a patch (section 4.1), so it may be missing.
  if (method === 'PATCH' && text?.trim() === '') return;
  yield [oneValue(text, call)];
}

async function* elements(response: Response, call: Call): AsyncGenerator<unknown[], void, undefined> {
  const cutter = new JsonArrayCutter();
  try {
    for await (const chunk of chunks(response, call)) yield cutter.push(chunk);
    cutter.end();
  } catch (error) {
    if (error instanceof MalformedJsonArray) throw call.error('invalid-response', `the response ${error.message}`);
    throw error;
  }
}

function oneValue(text: string | undefined, call: Call): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    // Not as a cause: the message of a SyntaxError quotes the text.
    throw call.error('invalid-response', 'the response is not one JSON value');
  }
}

/** Throws for a wrong type. Reports a broken bound, or throws for it if the client is configured to. */
function checkResponse({ onInvalid }: HrClientSettings, call: Call, check: ResponseCheck, value: unknown): void {
  const faults = check(value);
  if (faults.length === 0) return;
  const errors = placesOf(faults, endpoints[call.operation].list ? `/${call.elements}` : '');
  if (onInvalid === 'report' && !faults.some(({ unusable }) => unusable)) {
    call.invalid(errors);
    return;
  }
  throw call.error('invalid-response', `the response is not what the API specifies${places(errors, 'the response')}`, {
    problem: ownProblem(undefined, errors),
  });
}
