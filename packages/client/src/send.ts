import type { OperationId } from '@hr/schemas/checks';
import type { KyInstance } from 'ky';
import { Attempts } from './attempts.ts';
import type { Call } from './call.ts';
import { checkedRequest, type CallInput, type CheckedRequest } from './checked-request.ts';
import type { HrClientSettings } from './hr-client-settings.ts';
import { HrError } from './hr-error.ts';

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 300;
/** Maximum random addition to `Retry-After`, so that clients do not all return at once. */
const MAX_JITTER_SHARE = 0.25;

let ky: Promise<KyInstance | undefined> | undefined;

/**
 * Loads what schedules retries, beside the first request: neither the start of a program nor a call that succeeds waits
 * for it. A page may be unable to load it, such as when its program was replaced on the server.
 */
function loadKy(): NonNullable<typeof ky> {
  const load = async () => {
    try {
      return (await import('ky')).default;
    } catch {
      ky = undefined;
      return undefined;
    }
  };
  return (ky ??= load());
}

/** Checks a request, sends it, and retries it as the rules allow. The caller reads the body of the response. */
export async function send<Id extends OperationId>(
  settings: HrClientSettings,
  call: Call,
  input: CallInput<Id>,
): Promise<Response> {
  const request = checkedRequest(settings, call, input);
  call.signal.throwIfAborted();
  const attempts = new Attempts(settings, request, call);
  if (settings.retry.limit > 0) void loadKy();
  let response: Response;
  try {
    response = await attempts.next();
  } catch (error) {
    if (settings.retry.limit === 0 || !(error instanceof HrError) || !mayRetry(request, call, error)) throw error;
    response = await sendAgain(settings, request, call, attempts, error);
  }
  call.conclude('accepted');
  return response;
}

/**
 * ky only schedules the retries, beginning with the failure of the first attempt. It sees no token, no body and only
 * successful responses, so its errors cannot contain them. Where it cannot be loaded, they follow the same rules.
 */
async function sendAgain(
  settings: HrClientSettings,
  request: CheckedRequest,
  call: Call,
  attempts: Attempts,
  failure: HrError,
): Promise<Response> {
  let delay = 0;
  const shouldRetry = ({ error, retryCount }: { readonly error: unknown; readonly retryCount: number }): boolean => {
    if (!(error instanceof HrError) || !mayRetry(request, call, error)) return false;
    const wait = retryDelay(settings, call, retryCount);
    if (wait === undefined) return false;
    delay = wait;
    call.retrying(error.code);
    return true;
  };
  const { limit } = settings.retry;
  const schedule = await call.deadline.wait(loadKy);
  if (schedule) {
    let isFirst = true;
    return schedule(request.url, {
      method: request.method,
      signal: call.signal,
      async fetch() {
        if (!isFirst) return attempts.next();
        isFirst = false;
        throw failure;
      },
      timeout: false,
      retry: { limit, methods: ['get', 'patch', 'post', 'delete'], shouldRetry, delay: () => delay },
    });
  }
  let error: unknown = failure;
  for (let retryCount = 1; retryCount <= limit && shouldRetry({ error, retryCount }); retryCount++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      await call.deadline.wait(() => new Promise((resolve) => void setTimeout(resolve, delay)));
      // oxlint-disable-next-line no-await-in-loop
      return await attempts.next();
    } catch (thrown) {
      error = thrown;
    }
  }
  throw error;
}

/** A patch replaces whole properties, so it is idempotent, as a deletion is. A payment is only with a key. */
function mayRetry({ method }: CheckedRequest, { isKeyed, deadline }: Call, error: HrError): boolean {
  if (method === 'POST' && !isKeyed) return error.code === 'network' && error.outcome === 'not-sent';
  return (
    error.code === 'network' ||
    (error.code === 'timeout' && !deadline.expired) ||
    transientStatuses.has(error.status ?? 0) ||
    (isKeyed && error.problem?.kind === 'idempotency-key-in-flight')
  );
}

/** The delay before a retry; undefined if `Retry-After` exceeds `maxDelay` or the remaining timeout. */
function retryDelay(
  { retry }: HrClientSettings,
  { retryAfterMs, deadline }: Call,
  retryCount: number,
): number | undefined {
  const most = Math.min(retry.maxDelay, deadline.remaining);
  if (retryAfterMs === undefined) {
    const delay = Math.min(retry.maxDelay, Math.random() * FIRST_DELAY_MS * 2 ** (retryCount - 1));
    return delay < deadline.remaining ? delay : undefined;
  }
  if (retryAfterMs > most) return undefined;
  return retryAfterMs + Math.random() * Math.min(MAX_JITTER_SHARE * retryAfterMs, most - retryAfterMs);
}
