import { endpoints } from '@hr/schemas/checks';
import type { HrClientEvent } from './hr-client-event.ts';
import type { CallOptions } from './hr-client-options.ts';
import { checkOption, HrError, isHrError } from './hr-error.ts';

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_MAX_WAIT_MS = 300_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Programs that wait for the same limit do not all return at once. */
const MAX_JITTER_MS = 1000;

/** Options of `bulk`. */
export interface BulkOptions {
  /**
   * Maximum number of calls at the same time.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined;
  /**
   * Maximum time without a call that succeeds, in milliseconds. A longer `Retry-After` fails at once.
   *
   * @default 300_000
   */
  readonly maxWait?: number | undefined;
  /** Number of inputs, for the time left. Default: the length of an array. */
  readonly total?: number | undefined;
  /** Aborts it, and the calls in flight. It rejects with an `HrError` with `code: 'aborted'`. */
  readonly signal?: AbortSignal | undefined;
  /** Receives how far it is: after each call, and when it begins to wait. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** How far bulk work is. */
export interface BulkProgress {
  /** Number of inputs that are done. */
  readonly done: number;
  readonly total?: number | undefined;
  /** Estimated time until the end, in milliseconds. */
  readonly msLeft?: number | undefined;
  /** A pause that begins now. Without `error`, the limit of requests is nearly reached. */
  readonly pause?: { readonly ms: number; readonly error?: HrError | undefined } | undefined;
}

/**
 * Makes a call for each of many inputs, a few at the same time, and yields the results in the order of the inputs.
 *
 * All calls wait as long as `Retry-After` says, and before the limit of the `RateLimit` header is reached. A call that was
 * refused for the rate, or failed for a reason that can pass, is made again, unless it may have taken effect and is no read.
 * Until a call has succeeded, it waits only where there is a `Retry-After`. Any other error ends it. Leaving the loop
 * starts no further call and awaits those in flight.
 *
 * @param run - Makes the call, with the given options.
 * @throws {HrError} of the call.
 * @example
 * ```ts
 * const contracts = ['1000-20001', '2000-20002'];
 * const salaries = (id: string, call: CallOptions) => hr.payroll.salaryHistory(id, { from: '2026-01' }, call);
 * for await (const history of bulk(contracts, salaries)) console.log(history.length);
 * ```
 */
export async function* bulk<Input, Result>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  run: (input: Input, call: CallOptions) => PromiseLike<Result>,
  {
    concurrency = DEFAULT_CONCURRENCY,
    maxWait = DEFAULT_MAX_WAIT_MS,
    signal,
    onProgress,
    ...options
  }: BulkOptions = {},
): AsyncGenerator<Result, void, undefined> {
  checkOption(Number.isInteger(concurrency) && concurrency > 0, 'bulk: concurrency must be a whole number above 0.');
  checkOption(maxWait >= 0, 'bulk: maxWait must be a number of milliseconds, 0 or more.');
  const total = options.total ?? (Array.isArray(inputs) ? inputs.length : undefined);
  const startedAt = performance.now();
  let succeededAt = startedAt;
  let pausedUntil = 0;
  let pauseReported = 0;
  let failure: HrError | undefined;
  let failures = 0;
  let inFlight = 0;
  let done = 0;
  const ended = new AbortController();

  function report(pause?: BulkProgress['pause']): void {
    const elapsed = Math.max(performance.now(), pausedUntil) - startedAt;
    const msLeft = total === undefined || done === 0 ? undefined : ((total - done) * elapsed) / done;
    onProgress?.({ done, total, msLeft, pause });
  }

  function pauseFor(ms: number, error?: HrError): void {
    const until = performance.now() + ms + Math.random() * Math.min(MAX_JITTER_MS, ms);
    if (until < pausedUntil) return;
    pausedUntil = until;
    failure = error;
  }

  /** Waits for the end of the pause. Calls that wait together report it once. */
  async function pauseEnd(): Promise<void> {
    const either = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
    for (let ms = pausedUntil - performance.now(); ms > 0 && !either.aborted; ms = pausedUntil - performance.now()) {
      if (pausedUntil > pauseReported + MAX_JITTER_MS) report({ ms, error: failure });
      pauseReported = pausedUntil;
      // oxlint-disable-next-line no-await-in-loop -- it may be longer meanwhile
      await sleep(ms, either);
    }
  }

  function onEvent(event: HrClientEvent): void {
    if (event.type !== 'response' || event.rateLimit === undefined) return;
    const { remaining, resetMs } = event.rateLimit;
    // The calls in flight count, too.
    if (remaining < inFlight && resetMs <= maxWait) pauseFor(resetMs);
  }

  async function attempt(input: Input): Promise<Result> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- again after a pause
      await pauseEnd();
      if (signal?.aborted) throw new HrError('aborted', 'bulk: aborted by the caller.', { cause: signal.reason });
      if (ended.signal.aborted) throw new HrError('aborted', 'bulk: it has ended.');
      inFlight++;
      try {
        const result = await run(input, { signal, retry: { limit: 0 }, onEvent });
        succeededAt = performance.now();
        failures = 0;
        done++;
        report();
        return result;
      } catch (error) {
        if (!isHrError(error) || !mayRepeat(error) || signal?.aborted || ended.signal.aborted) throw error;
        // The first call is most likely to fail because of what a person has to correct, such as the address.
        if (done === 0 && error.retryAfterMs === undefined) throw error;
        const backoff = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);
        const ms = error.retryAfterMs ?? backoff;
        if (performance.now() + ms - succeededAt > maxWait) throw error;
        // Those in flight together fail together.
        if (performance.now() >= pausedUntil) failures++;
        pauseFor(ms, error);
      } finally {
        inFlight--;
      }
    }
    // oxlint-enable no-await-in-loop
  }

  const pending: Promise<Result>[] = [];
  try {
    for await (const input of inputs) {
      const result = attempt(input);
      // It is reported when its turn comes.
      result.catch(() => undefined);
      pending.push(result);
      if (pending.length >= concurrency) yield await (pending.shift() as Promise<Result>);
    }
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (let next = pending.shift(); next; next = pending.shift()) yield await next;
  } finally {
    ended.abort();
    await Promise.allSettled(pending);
  }
}

/** Whether making the call again can succeed, and has no second effect. */
function mayRepeat({ isTransient, outcome, operation }: HrError): boolean {
  const hasNoEffect = outcome === 'not-sent' || outcome === 'rejected';
  return isTransient && (hasNoEffect || (operation !== undefined && endpoints[operation].method !== 'POST'));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
