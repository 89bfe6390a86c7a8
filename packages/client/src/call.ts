import { operations } from '@hr/schemas';
import type { OperationId } from '@hr/schemas';
import { Deadline } from './deadline.ts';
import type { HrClientStep } from './hr-client-event.ts';
import { HrError, isHrError } from './hr-error.ts';
import type { HrErrorCode } from './hr-error.ts';
import { wellFormedRequestId } from './hr-problem.ts';
import type { HrProblem } from './hr-problem.ts';
import { graverOutcome } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { retryAfter } from './retry-after.ts';

/** One call of an operation, from the check of its arguments to the last byte of its answer: its clock and what is known of it. */
export class Call {
  readonly operation: OperationId;
  readonly deadline: Deadline;
  elements = 0;
  /** How long the last answer asks to wait, in milliseconds. */
  retryAfter: number | undefined;
  readonly #emit: (step: HrClientStep) => void;
  readonly #startedAt = performance.now();
  #attempts = 0;
  #earlier: Outcome = 'not-sent';
  #outcome: Outcome = 'not-sent';
  #status: number | undefined;
  #requestId: string | undefined;
  #failure: { readonly code: HrErrorCode | 'aborted'; readonly outcome: Outcome } | undefined;

  constructor(
    operation: OperationId,
    emit: (step: HrClientStep) => void,
    timeout: number,
    signal: AbortSignal | undefined,
  ) {
    this.operation = operation;
    this.#emit = emit;
    this.deadline = new Deadline(timeout, signal);
  }

  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** Over all attempts: what one of them may have done stays done. */
  get outcome(): Outcome {
    return graverOutcome(this.#earlier, this.#outcome);
  }

  /** Another attempt begins, with its token. */
  begin(): void {
    this.#earlier = this.outcome;
    this.#outcome = 'not-sent';
    this.#status = undefined;
    this.#requestId = undefined;
    this.retryAfter = undefined;
  }

  /** The request is about to leave. */
  sending(): void {
    this.#attempts++;
    this.#outcome = 'unknown';
    this.#emit({ type: 'request', attempt: this.#attempts });
  }

  /** The head of an answer is there. */
  answered({ status, headers }: Response): void {
    // Browsers hide a redirect behind the status 0.
    this.#status = status || undefined;
    this.#requestId = wellFormedRequestId(headers.get('x-request-id'));
    this.retryAfter = retryAfter(headers.get('retry-after'));
    this.#emit({
      type: 'response',
      attempt: this.#attempts,
      status,
      requestId: this.#requestId,
    });
  }

  /** What the attempt has come to. */
  conclude(outcome: Outcome): void {
    this.#outcome = outcome;
  }

  retrying(code: HrErrorCode): void {
    this.#emit({ type: 'retry', attempt: this.#attempts, code });
  }

  invalid(errors: HrProblem['errors']): void {
    this.#emit({ type: 'invalid', errors });
  }

  /** An error with all that is known of the call. The fact is a clause such as `the service answered 404`. */
  error(code: HrErrorCode, fact: string, problem?: HrProblem, remedy: string = remedies[code]): HrError {
    const requestId = this.#requestId ?? problem?.requestId;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    const effect = operations[this.operation].method === 'POST' ? effects[this.outcome] : '';
    const message = `${this.operation}: ${fact}${request}. ${remedy}${effect}`;
    return new HrError(code, message, {
      operation: this.operation,
      status: this.#status,
      requestId,
      attempts: this.#attempts,
      outcome: this.outcome,
      problem,
    });
  }

  /** What to throw when something was thrown: the caller's own reason when he aborted, else the error. */
  failed(thrown: unknown): unknown {
    if (this.signal.aborted && !this.deadline.expired) {
      this.#failure = { code: 'aborted', outcome: this.outcome };
      return this.signal.reason;
    }
    const error = this.deadline.expired ? this.error('timeout', 'the time was up before the answer was there') : thrown;
    if (isHrError(error)) this.#failure = error;
    return error;
  }

  end(): void {
    this.deadline.end();
    this.#emit({
      type: 'end',
      attempts: this.#attempts,
      elements: this.elements,
      durationMs: performance.now() - this.#startedAt,
      code: this.#failure?.code,
      outcome: this.#failure?.outcome,
    });
  }
}

const remedies: Record<HrErrorCode, string> = {
  'invalid-option': '',
  'insecure-url': '',
  'invalid-request': 'Correct the places that problem.errors names.',
  'token-unavailable': 'Check the client id, its secret and the token endpoint.',
  unauthorized: 'Ask the operator whether this client is still active.',
  forbidden: 'Ask the operator for the scope that this operation needs.',
  'not-found': 'Check the id, and that baseUrl is the address of the service.',
  conflict: 'problem.type tells what stands against it.',
  'rate-limited': 'Send fewer requests, or raise retry.maxDelay.',
  rejected: 'The status tells why.',
  'server-error': 'Try later; if it stays, tell the operator the request id.',
  redirected: 'Set baseUrl to where the service really is; redirects are not followed.',
  'untrusted-certificate': 'Trust its authority, in Node.js by NODE_EXTRA_CA_CERTS, if baseUrl is the right address.',
  network: 'Check baseUrl and the connection.',
  timeout: 'Try later, or raise timeout.',
  'invalid-response': 'Check that baseUrl is the address of the service, with nothing in between that changes answers.',
};

const effects: Record<Outcome, string> = {
  'not-sent': ' Nothing was sent.',
  rejected: ' It had no effect.',
  accepted: ' The service took the request: do not send it again.',
  unknown: ' It may have taken effect: look before you send it again.',
};
