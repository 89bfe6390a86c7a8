import { endpoints, type OperationId } from '@hr/schemas/checks';
import { Deadline } from './deadline.ts';
import { nextCall, type HrClientStep } from './hr-client-event.ts';
import type { CallSettings } from './hr-client-settings.ts';
import { HrError, type HrErrorCode, type HrErrorInit, type KnownErrorCode } from './hr-error.ts';
import { wellFormedRequestId, type HrProblem } from './hr-problem.ts';
import { worstOutcome, type Outcome } from './outcome.ts';
import { effectOf, remedies } from './remedies.ts';
import { retryAfterMs } from './shared-rules.ts';
import type { HrCallTrace, HrRequestTrace } from './tracing.ts';

/** One call of an operation, from the check of its arguments to the last byte of its response: its clock and its state. */
export class Call {
  readonly operation: OperationId;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly trace: HrCallTrace;
  readonly idleTimeout: number | false;
  /** Aborts the body, also after the end of the call. */
  bodySignal: AbortSignal | undefined;
  /** Whether the request has a key by which the service recognizes a repetition. */
  readonly isKeyed: boolean;
  elements = 0;
  /** Broken bounds that were reported so far. */
  reported = 0;
  /** The `Retry-After` of the last response, in milliseconds. */
  retryAfterMs: number | undefined;
  readonly #listeners: CallSettings['listeners'];
  readonly #startedAt = performance.now();
  #attempts = 0;
  #earlier: Outcome = 'not-sent';
  #outcome: Outcome = 'not-sent';
  #status: number | undefined;
  #requestId: string | undefined;
  #error: HrError | undefined;
  #failure: HrError | undefined;

  constructor(
    operation: OperationId,
    { listeners, idempotency, timeout, idleTimeout, signal }: CallSettings,
    idempotencyKey: string | undefined,
    disposed?: AbortSignal,
  ) {
    const { method, path } = endpoints[operation];
    this.operation = operation;
    this.trace = { call: nextCall(), operation, method, path };
    this.isKeyed = idempotency === 'provider-supports' && idempotencyKey !== undefined;
    this.#listeners = listeners;
    this.idleTimeout = idleTimeout;
    this.deadline = new Deadline(timeout, ...[signal, disposed].filter((each) => each !== undefined));
    this.signal = this.deadline.signal;
  }

  /** Over all attempts: a later attempt does not undo the effect of an earlier one. */
  get outcome(): Outcome {
    return worstOutcome(this.#earlier, this.#outcome);
  }

  /** Starts another attempt, with its token. */
  begin(): void {
    this.#earlier = this.outcome;
    this.#outcome = 'not-sent';
    this.#status = undefined;
    this.#requestId = undefined;
    this.retryAfterMs = undefined;
  }

  /** Records that a request is about to be sent. */
  sending(): HrRequestTrace {
    this.#attempts++;
    this.#outcome = 'unknown';
    this.#emit({ type: 'request', attempt: this.#attempts });
    const { call, operation, method, path } = this.trace;
    return { call, operation, method, path, attempt: this.#attempts };
  }

  /** Records the head of a response. */
  received({ status, headers }: Response, trace: HrRequestTrace): void {
    // Browsers report a redirect as status 0.
    this.#status = status || undefined;
    this.#requestId = wellFormedRequestId(headers.get('x-request-id'));
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'));
    trace.status = this.#status;
    trace.requestId = this.#requestId;
    if (this.#listeners.length === 0) return;
    // NaN without a date.
    const date = Date.parse(headers.get('date') ?? '') || undefined;
    const rateLimit = rateLimitOf(headers.get('ratelimit'));
    this.#emit({ type: 'response', attempt: this.#attempts, status, requestId: this.#requestId, date, rateLimit });
  }

  /** Sets the outcome of the current attempt. */
  conclude(outcome: Outcome): void {
    this.#outcome = outcome;
  }

  retrying(code: HrErrorCode): void {
    this.#emit({ type: 'retry', attempt: this.#attempts, code });
  }

  invalid(errors: HrProblem['errors']): void {
    this.reported += errors.length;
    this.#emit({ type: 'invalid', errors });
  }

  /**
   * Makes an error with the state of the call.
   *
   * @param fact - What is wrong, as a clause such as `the service responded with 404`.
   */
  error(
    code: KnownErrorCode,
    fact: string,
    { remedy = remedies[code], ...init }: HrErrorInit & { readonly remedy?: string | undefined } = {},
  ): HrError {
    const requestId = this.#requestId ?? init.problem?.requestId;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    const sentences = [`${this.operation}: ${fact}${request}.`, remedy, effectOf(this, init.problem?.kind)].filter(
      (sentence) => sentence !== '',
    );
    this.#error = new HrError(code, sentences.join(' '), {
      operation: this.operation,
      status: this.#status,
      requestId,
      attempts: this.#attempts,
      outcome: this.outcome,
      retryAfterMs: this.retryAfterMs,
      ...init,
    });
    return this.#error;
  }

  /** Returns the error that the call rejects with. */
  failed(thrown: unknown): HrError {
    // An error of the call itself is more specific than a later abort.
    if (this.signal.aborted && thrown !== this.#error) {
      this.#failure = this.deadline.expired
        ? this.error('timeout', 'timed out before the response was complete')
        : this.error('aborted', 'aborted by the caller', { cause: this.signal.reason });
      return this.#failure;
    }
    const remedy = 'Check that the option fetch returns a Response.';
    this.#failure =
      thrown instanceof HrError ? thrown : this.error('invalid-response', 'the response cannot be read', { remedy });
    return this.#failure;
  }

  end(): void {
    this.deadline.end();
    const { code, outcome } = this.#failure ?? {};
    const [attempts, elements] = [this.#attempts, this.elements];
    Object.assign(this.trace, { attempts, elements, outcome });
    this.#emit({ type: 'end', attempts, elements, durationMs: performance.now() - this.#startedAt, code, outcome });
  }

  #emit(step: HrClientStep): void {
    const { call, operation } = this.trace;
    for (const listener of this.#listeners) {
      // An error of a listener must not change the result of a payment, or end the process during one.
      (async () => listener({ call, operation, ...step }))().catch(() => undefined);
    }
  }
}

/** The limit that ends first, of a `RateLimit` header (draft-ietf-httpapi-ratelimit-headers-10), such as `"client";r=9;t=30`. */
function rateLimitOf(header: string | null): { readonly remaining: number; readonly resetMs: number } | undefined {
  const limits = (header ?? '').split(',').flatMap((item) => {
    const [remaining, seconds] = [/;\s*r=(\d{1,15})/.exec(item)?.[1], /;\s*t=(\d{1,12})/.exec(item)?.[1]];
    if (remaining === undefined || seconds === undefined) return [];
    return { remaining: Number(remaining), resetMs: Number(seconds) * 1000 };
  });
  return limits.toSorted((one, other) => one.remaining - other.remaining)[0];
}
