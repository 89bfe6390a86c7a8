import type { TokenProvider } from '@hr/auth';
import type { WireNames } from '@hr/schemas';
import type { HrClientEvent } from './hr-client-event.ts';
import { eventSink } from './hr-client-event.ts';
import { HrError } from './hr-error.ts';
import { wireNameTable } from './wire-name-table.ts';
import type { WireNameTable } from './wire-name-table.ts';

/** Options of `createHrClient`. */
export interface HrClientOptions {
  /** Address of the service, with its path if it has one, such as `https://hr.example.com`. */
  readonly baseUrl: string | URL;
  /** Where access tokens come from, such as `clientCredentials` of `@hr/auth`. */
  readonly auth: TokenProvider;
  /**
   * How long a call may take in all, in milliseconds: the token, every attempt, the waits between them, the whole
   * answer. While your program works on an element of a stream the clock stands still.
   *
   * @default 60_000
   */
  readonly timeout?: number;
  /**
   * How often and how slowly to try again. Reads and `persons.update` are retried on 408, 429, 500, 502, 503, 504 and
   * network errors until the answer begins; a payment as `idempotency` says.
   */
  readonly retry?: {
    /**
     * Retries after the first attempt; 0 for none.
     *
     * @default 2
     */
    readonly limit?: number;
    /**
     * Longest wait before a retry, in milliseconds, also when `Retry-After` asks for more. Without `Retry-After` the
     * wait is random, up to 300 ms and the double of it each time. A wait that would outlast `timeout` is not begun.
     *
     * @default 30_000
     */
    readonly maxDelay?: number;
  };
  /**
   * Whether the service honours `Idempotency-Key`. With `provider-supports` a payment that carries a key is retried
   * like a read. Without, a payment is retried only when no connection came about.
   *
   * @default 'unsupported'
   */
  readonly idempotency?: 'unsupported' | 'provider-supports';
  /**
   * What to do with an answer that breaks a bound, such as a job title of 401 characters: hand it out and tell
   * `onEvent`, or throw `invalid-response`. A wrong type always throws.
   *
   * @default 'report'
   */
  readonly onInvalid?: 'report' | 'throw';
  /** Names of query parameters, where this deployment differs from `wireNames` of `@hr/schemas`. */
  readonly wireNames?: WireNames;
  /**
   * Sends the requests instead of the global `fetch`: a proxy, a test. It must honour `redirect: 'manual'`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Gets an event for each step of each call, for logs and metrics. What it throws, or rejects with, is dropped: it must
   * not decide about a call, nor end the process amid a payment.
   */
  readonly onEvent?: (event: HrClientEvent) => void;
  /**
   * Lets tokens and personal data travel over plain http to another machine, where everyone on the way can read them.
   * Loopback addresses need no leave.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean;
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends this call alone; it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's `timeout`, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** The options, checked and with their defaults. */
export interface HrClientSettings extends Required<
  Pick<HrClientOptions, 'auth' | 'timeout' | 'idempotency' | 'onInvalid' | 'fetch'>
> {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly retry: { readonly limit: number; readonly maxDelay: number };
  readonly wireNames: WireNameTable;
  /** Opens a call of an operation and gives the function that tells its steps. */
  readonly open: ReturnType<typeof eventSink>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;
const DEFAULT_MAX_DELAY_MS = 30_000;
// Beyond 32 bits a timer fires at once.
const MAX_TIMER_MS = 2_147_483_647;
// The URL parser has brought every spelling of an IPv4 address to four decimal numbers.
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Checks the options; every message names the option and what to do. */
export function hrClientSettings(options: HrClientOptions): HrClientSettings {
  check(
    typeof options === 'object' && options !== null,
    'createHrClient must be given its options, { baseUrl, auth }.',
  );
  const { auth, timeout = DEFAULT_TIMEOUT_MS, idempotency = 'unsupported', onInvalid = 'report' } = options;
  const { limit = DEFAULT_RETRIES, maxDelay = DEFAULT_MAX_DELAY_MS } = options.retry ?? {};
  const { fetch = (url, init) => globalThis.fetch(url, init), onEvent, wireNames = {} } = options;
  check(
    typeof auth?.getToken === 'function' && typeof auth.invalidate === 'function',
    'auth must be a token provider, such as clientCredentials(…) of @hr/auth.',
  );
  check(Number.isInteger(limit) && limit >= 0, 'retry.limit must be a whole number, 0 for no retries.');
  check(isTimerMs(maxDelay), `retry.maxDelay must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}.`);
  check(
    idempotency === 'unsupported' || idempotency === 'provider-supports',
    "idempotency must be 'unsupported' or 'provider-supports'.",
  );
  check(onInvalid === 'report' || onInvalid === 'throw', "onInvalid must be 'report' or 'throw'.");
  check(typeof fetch === 'function', 'fetch must be a function like the global fetch.');
  check(onEvent === undefined || typeof onEvent === 'function', 'onEvent must be a function.');
  return {
    baseUrl: baseUrl(options),
    auth,
    timeout: checkedTimeout(timeout),
    retry: { limit, maxDelay },
    idempotency,
    onInvalid,
    wireNames: wireNameTable(wireNames),
    fetch,
    open: eventSink(onEvent),
  };
}

/** Checks the timeout of a client or of a call. */
export function checkedTimeout(timeout: number): number {
  check(isTimerMs(timeout), `timeout must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}.`);
  return timeout;
}

/** Checks the signal of a call, which may come from another realm. */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  check(signal === undefined || isSignal, 'signal must be an AbortSignal.');
  return signal;
}

function isTimerMs(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_TIMER_MS;
}

// The value may hold a password, so no message repeats it.
function baseUrl({ baseUrl: address, allowInsecureHttp }: HrClientOptions): string {
  // Not URL.parse, which the first Node.js 22 does not have.
  const url = URL.canParse(String(address)) ? new URL(String(address)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new HrError(
      'invalid-option',
      'baseUrl must be an absolute http or https address without user, password, query or fragment, such as https://hr.example.com.',
    );
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && allowInsecureHttp !== true) {
    throw new HrError(
      'insecure-url',
      `Tokens and personal data would travel unencrypted to ${url.host}. Use https, or set allowInsecureHttp: true on a network you trust.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

function check(holds: boolean, remedy: string): void {
  if (!holds) throw new HrError('invalid-option', remedy);
}
