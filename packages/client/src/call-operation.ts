import { endpoints, loneSurrogates, responseCheck, type OperationId, type ResponseCheck } from '@hr/schemas/checks';
import { JsonArrayCutter, MalformedJsonArray } from '@hr/schemas/json-array';
import { Call } from './call.ts';
import type { CallInput } from './checked-request.ts';
import type { CallOptions } from './hr-client-options.ts';
import { callSettings, checkNames, extended, type HrClientSettings } from './hr-client-settings.ts';
import { checkOption, type HrError } from './hr-error.ts';
import type { Batches } from './hr-list.ts';
import { ownProblem, places, placesOf, wellFormedRequestId } from './hr-problem.ts';
import type { OnHead } from './hr-promise.ts';
import { ResponseBody } from './response-body.ts';
import { send } from './send.ts';

/** Far above any response of the API that is not a list. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Faults of a response that are reported, over all of its elements. */
const MAX_REPORTED = 100;
/** What was parsed of a slice is garbage, or moved to the old heap, before the next one: large objects would not be. */
const SLICE_BYTES = 32 * 1024;
const BACKSLASH = 0x5c;

/**
 * Calls an operation and yields the elements of a list as they arrive, or the one body (nothing if it is empty). It
 * sends the request when the first batch is requested, and reads only as far as needed. `return` or `disposed` cancels the rest.
 */
export async function* callOperation<Id extends OperationId>(
  client: HrClientSettings,
  id: Id,
  input: CallInput<Id>,
  options: CallOptions | undefined,
  disposed?: AbortSignal,
  onHead?: OnHead,
): Batches<unknown> {
  onHead?.(undefined);
  const { changedSince, after, wait }: Readonly<Record<string, string | undefined>> = input.query ?? {};
  const settings = extended(callSettings(client, options), wait);
  const call = new Call(id, settings, input.idempotencyKey, disposed);
  const bounds = responseCheck(id, { changes: (changedSince ?? after) !== undefined });
  let hasEscapes = false;
  const check: ResponseCheck = (value, limit) =>
    hasEscapes ? [...bounds(value, limit), ...loneSurrogates(value, limit)] : bounds(value, limit);
  const traced = settings.trace('call', call.trace, () => send(settings, call, input));
  const receive = (value: unknown): void => {
    call.signal.throwIfAborted();
    checkResponse(settings, call, check, value);
    call.elements++;
  };
  let body: ResponseBody | undefined;
  let failure: HrError | undefined;
  try {
    const response = await traced.result;
    const { status, headers } = response;
    onHead?.({ status, headers, requestId: wellFormedRequestId(headers.get('x-request-id')) });
    body = new ResponseBody(response, call);
    if (!endpoints[id].list) {
      const text = await body.text(MAX_RESPONSE_BYTES);
      hasEscapes = text?.includes('\\') ?? false;
      const values = oneValue(text, call);
      if (values.length > 0) yield { values, receive, clock: call.deadline };
      return;
    }
    const cutter = new JsonArrayCutter();
    while (!body.isComplete) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other
      const bytes = await body.read(1);
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        const slice = bytes.subarray(at, at + SLICE_BYTES);
        const values = cutter.push(slice);
        const isEscaped = slice.includes(BACKSLASH);
        hasEscapes ||= isEscaped;
        if (values.length === 0) continue;
        yield { values, receive, clock: call.deadline };
        // An element may have begun in this slice.
        hasEscapes = isEscaped;
      }
    }
    cutter.end();
  } catch (error) {
    const isMalformed = error instanceof MalformedJsonArray;
    failure = call.failed(isMalformed ? call.error('invalid-response', `the response ${error.message}`) : error);
    throw failure;
  } finally {
    body?.cancel();
    call.end();
    traced.end(failure);
  }
}

/**
 * Sends the request of an operation, and resolves with the response when its head has arrived. There the call ends: what
 * becomes of the body is up to the caller.
 */
export async function requestOperation<Id extends OperationId>(
  client: HrClientSettings,
  id: Id,
  input: CallInput<Id>,
  options: CallOptions | undefined,
): Promise<Response> {
  checkOption(Object.hasOwn(endpoints, id), 'request: unknown operation. The type OperationId has all of them.');
  checkOption(
    typeof input === 'object' && input !== null,
    'request needs its input, such as {} or { path, query, body }.',
  );
  // Only with a key that the service knows is a request safe to repeat.
  checkNames(id, ['path', 'query', 'body', ...('idempotencyKey' in endpoints[id] ? ['idempotencyKey'] : [])], input);
  const { wait }: Readonly<Record<string, string | undefined>> = input.query ?? {};
  const settings = extended(callSettings(client, options), wait);
  const call = new Call(id, settings, input.idempotencyKey);
  call.bodySignal = settings.signal;
  const traced = settings.trace('call', call.trace, () => send(settings, call, input));
  let failure: HrError | undefined;
  try {
    const response = await traced.result;
    call.elements++;
    return response;
  } catch (error) {
    failure = call.failed(error);
    throw failure;
  } finally {
    call.end();
    traced.end(failure);
  }
}

function oneValue(text: string | undefined, call: Call): unknown[] {
  // The specification does not show the body of the response to a patch (section 4.1), so it may be missing.
  if (call.trace.method === 'PATCH' && text?.trim() === '') return [];
  try {
    return [JSON.parse(text ?? '') as unknown];
  } catch {
    // Not as a cause: the message of a SyntaxError quotes the text.
    throw call.error('invalid-response', 'the response is not one JSON value');
  }
}

/** Throws for a wrong type. Reports a broken bound, or throws for it if the client is configured to. */
function checkResponse({ onInvalid }: HrClientSettings, call: Call, check: ResponseCheck, value: unknown): void {
  // A service that breaks bounds everywhere would cost more to report than to read.
  const faults = check(value, MAX_REPORTED - call.reported);
  if (faults.length === 0) return;
  // What makes it unusable comes first.
  const sorted = faults.toSorted((one, other) => Number(other.unusable) - Number(one.unusable));
  const errors = placesOf(sorted, endpoints[call.operation].list ? `/${call.elements}` : '');
  if (onInvalid === 'report' && !faults.some(({ unusable }) => unusable)) {
    call.invalid(errors);
    return;
  }
  throw call.error('invalid-response', `the response is not what the API specifies${places(errors, 'the response')}`, {
    problem: ownProblem(undefined, errors),
  });
}
