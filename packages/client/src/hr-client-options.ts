import type { WireNames } from '@hr/schemas/checks';
import type { HrClientEvent } from './hr-client-event.ts';
import { HrError } from './hr-error.ts';
import { MAX_TIMER_MS, baseUrlFault, httpAddress, insecureUrlFault, unknownOptionFault } from './shared-rules.ts';
import { tokenSource, type TokenFunction, type TokenProvider, type TokenSource } from './token-provider.ts';
import { tracing, type Trace } from './tracing.ts';
import { isAppInfo, userAgent, type AppInfo } from './user-agent.ts';
import { wireNameTable, type WireNameTable } from './wire-name-table.ts';

/** Maximum number and delay of retries. */
export interface RetryOptions {
  /**
   * Maximum number of retries after the first attempt; 0 for none.
   *
   * @default 2
   */
  readonly limit?: number;
  /**
   * Maximum delay before a retry, in milliseconds. If `Retry-After` exceeds it, the call fails immediately. Without
   * `Retry-After` the delay is random: up to 300 ms before the first retry, and twice as much before each further one.
   *
   * @default 30_000
   */
  readonly maxDelay?: number;
}

/** Options of `createHrClient`. */
export interface HrClientOptions {
  /** Address of the service, with its path if it has one, such as `https://hr.example.com`. */
  readonly baseUrl: string | URL;
  /**
   * The source of access tokens: a provider such as `clientCredentials(…)` of `@hr/auth`, or a function that returns a
   * token.
   */
  readonly auth: TokenProvider | TokenFunction;
  /**
   * Maximum time that a call waits for the network, in milliseconds: for the token, all attempts, the delays between
   * them and the complete response. The clock pauses while your program handles an element. `false` for no limit.
   *
   * @default 60_000
   */
  readonly timeout?: number | false;
  /**
   * Maximum time until the head of a response, for each attempt, in milliseconds. After it, the client retries as after a
   * network error. `false` for no limit beside `timeout`.
   *
   * @default 30_000
   */
  readonly attemptTimeout?: number | false;
  /**
   * Maximum time without a byte of a response, in milliseconds, such as on a connection that was lost silently. `false` for
   * no limit beside `timeout`.
   *
   * @default 30_000
   */
  readonly idleTimeout?: number | false;
  /**
   * Retries. The client retries reads and `persons.update` on 408, 429, 500, 502, 503, 504 and on network errors before
   * the response begins. For payments, see `idempotency`.
   */
  readonly retry?: RetryOptions;
  /**
   * Whether the service supports `Idempotency-Key`, which the specification does not have. With `provider-supports`, the
   * client retries a payment with a key like a read, and on 409 while its key is in flight. Otherwise it retries a payment
   * only if there was no connection. It sends the key in both cases.
   *
   * @default 'unsupported'
   */
  readonly idempotency?: 'unsupported' | 'provider-supports';
  /**
   * What to do with a response that breaks a bound of the specification, such as a job title of 401 characters: return it
   * and report an `invalid` event, or throw `invalid-response`. A wrong type or a missing required field always throws.
   *
   * @default 'report'
   */
  readonly onInvalid?: 'report' | 'throw';
  /** Names of query parameters in the URL that differ from `wireNames` of `@hr/schemas`. */
  readonly wireNames?: WireNames;
  /** The program that uses the client, for the header `User-Agent`. Browsers ignore it. */
  readonly appInfo?: AppInfo;
  /**
   * Sends the requests instead of the global `fetch`, such as through a proxy. It must honour `redirect: 'manual'`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Receives an event for each step of each call, for logs and metrics. The client ignores errors of this function. */
  readonly onEvent?: (event: HrClientEvent) => void;
  /**
   * Allows plain http to another machine. Everyone on the network path can then read tokens and personal data. Loopback
   * is always allowed.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts this call. It rejects with an `HrError` with `code: 'aborted'` and `signal.reason` as `cause`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's `timeout`. */
  readonly timeout?: number | false | undefined;
  /** Overrides the client's `attemptTimeout`. */
  readonly attemptTimeout?: number | false | undefined;
  /** Overrides the client's `idleTimeout`. */
  readonly idleTimeout?: number | false | undefined;
  /** Overrides the client's `retry`, field by field. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Additional request headers, such as `traceparent`. You cannot set headers of the client, such as `authorization`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Receives the events of this call, as well as the client's `onEvent`. The client ignores errors of this function. */
  readonly onEvent?: ((event: HrClientEvent) => void) | undefined;
}

type TimeoutName = 'timeout' | 'attemptTimeout' | 'idleTimeout';

/** The options, checked and with their defaults. */
export interface HrClientSettings
  extends Required<Pick<HrClientOptions, TimeoutName | 'idempotency' | 'onInvalid'>>, Pick<HrClientOptions, 'fetch'> {
  readonly auth: TokenSource;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly retry: Required<RetryOptions>;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly wireNames: WireNameTable;
  readonly listeners: readonly NonNullable<HrClientOptions['onEvent']>[];
  readonly trace: Trace;
}

/** The settings of the client, overridden by the options of a call. */
export interface CallSettings extends HrClientSettings {
  readonly signal?: AbortSignal | undefined;
}

const optionNames: readonly (keyof HrClientOptions)[] = [
  'baseUrl',
  'auth',
  'timeout',
  'attemptTimeout',
  'idleTimeout',
  'retry',
  'idempotency',
  'onInvalid',
  'wireNames',
  'appInfo',
  'fetch',
  'onEvent',
  'allowInsecureHttp',
];
const callOptionNames: readonly (keyof CallOptions)[] = [
  'signal',
  'timeout',
  'attemptTimeout',
  'idleTimeout',
  'retry',
  'headers',
  'onEvent',
];
const defaultTimeouts = { timeout: 60_000, attemptTimeout: 30_000, idleTimeout: 30_000 };
const DEFAULT_RETRIES = 2;
const DEFAULT_MAX_DELAY_MS = 30_000;
const BY_PLATFORM = 'The platform sets it.';
/** Headers that the client or the platform sets, with the source of their values. */
const ownHeaders: Readonly<Record<string, string>> = {
  authorization: 'It comes from the option auth.',
  'idempotency-key': 'It comes from idempotencyKey of the payment.',
  accept: 'It is application/json.',
  'content-type': 'It is application/json.',
  'content-length': 'It follows from the body.',
  connection: BY_PLATFORM,
  expect: BY_PLATFORM,
  'keep-alive': BY_PLATFORM,
  'transfer-encoding': BY_PLATFORM,
  upgrade: BY_PLATFORM,
};

/** Checks the options. Every message names the option and the remedy. */
export function hrClientSettings(options: HrClientOptions): HrClientSettings {
  check(typeof options === 'object' && options !== null, 'createHrClient needs its options, { baseUrl, auth }.');
  checkNames('createHrClient', optionNames, options);
  check(typeof Promise.withResolvers === 'function', 'createHrClient needs Node.js 22 or newer, or a current browser.');
  const { idempotency = 'unsupported', onInvalid = 'report' } = options;
  const { fetch, onEvent, wireNames = {}, appInfo } = options;
  const auth = tokenSource(options.auth);
  if (!auth) {
    throw invalidOption(
      'auth must be a token provider, such as clientCredentials(…) of @hr/auth, or a function that returns a token.',
    );
  }
  check(
    idempotency === 'unsupported' || idempotency === 'provider-supports',
    "idempotency must be 'unsupported' or 'provider-supports'.",
  );
  check(onInvalid === 'report' || onInvalid === 'throw', "onInvalid must be 'report' or 'throw'.");
  check(fetch === undefined || typeof fetch === 'function', 'fetch must be a function like the global fetch.');
  checkListener(onEvent);
  check(
    appInfo === undefined || (typeof appInfo === 'object' && appInfo !== null && isAppInfo(appInfo)),
    'appInfo must be { name, version? } of letters, digits and -._+, such as { name: "payroll-batch", version: "2.1.0" }.',
  );
  const agent = userAgent(appInfo);
  return {
    baseUrl: baseUrl(options),
    auth,
    ...checkedTimeouts(defaultTimeouts, options),
    retry: checkedRetry({ limit: DEFAULT_RETRIES, maxDelay: DEFAULT_MAX_DELAY_MS }, options.retry),
    headers: agent === undefined ? {} : { 'user-agent': agent },
    idempotency,
    onInvalid,
    wireNames: wireNameTable(wireNames),
    ...(fetch && { fetch }),
    listeners: onEvent ? [onEvent] : [],
    trace: tracing(),
  };
}

/** Checks the options of a call and applies them. */
export function callSettings(settings: HrClientSettings, options: CallOptions | undefined): CallSettings {
  if (options === undefined) return settings;
  check(typeof options === 'object' && options !== null, 'the options of a call must be an object.');
  checkNames('the call', callOptionNames, options);
  const { signal, retry, headers, onEvent } = options;
  // A signal may come from another realm.
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  check(signal === undefined || isSignal, 'signal must be an AbortSignal.');
  checkListener(onEvent);
  return {
    ...settings,
    signal,
    listeners: [...settings.listeners, ...(onEvent ? [onEvent] : [])],
    ...checkedTimeouts(settings, options),
    retry: checkedRetry(settings.retry, retry),
    headers: { ...settings.headers, ...(headers && checkedHeaders(headers)) },
  };
}

function checkListener(onEvent: HrClientOptions['onEvent']): void {
  check(onEvent === undefined || typeof onEvent === 'function', 'onEvent must be a function.');
}

function checkedTimeouts(
  defaults: Readonly<Record<TimeoutName, number | false>>,
  {
    timeout = defaults.timeout,
    attemptTimeout = defaults.attemptTimeout,
    idleTimeout = defaults.idleTimeout,
  }: CallOptions,
): Record<TimeoutName, number | false> {
  const timeouts = { timeout, attemptTimeout, idleTimeout };
  for (const [name, value] of Object.entries(timeouts))
    check(
      value === false || isTimerMs(value),
      `${name} must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}, or false for no limit.`,
    );
  return timeouts;
}

function checkedRetry(defaults: Required<RetryOptions>, retry: RetryOptions = {}): Required<RetryOptions> {
  check(typeof retry === 'object' && retry !== null, 'retry must be { limit?, maxDelay? }.');
  checkNames('retry', Object.keys(defaults), retry);
  const { limit = defaults.limit, maxDelay = defaults.maxDelay } = retry;
  check(Number.isInteger(limit) && limit >= 0, 'retry.limit must be a whole number, 0 for no retries.');
  check(isTimerMs(maxDelay), `retry.maxDelay must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}.`);
  return { limit, maxDelay };
}

/** No message repeats the value: it may be a secret. */
function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  check(typeof headers === 'object' && headers !== null, 'headers must be an object of strings by header name.');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lowerCase = name.toLowerCase();
      check(
        /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
        'headers must have valid header names, with strings as values that a header can carry.',
      );
      const origin = Object.hasOwn(ownHeaders, lowerCase) ? ownHeaders[lowerCase] : undefined;
      check(origin === undefined, `headers must not set ${lowerCase}. ${origin}`);
      return [lowerCase, value];
    }),
  );
}

function isTimerMs(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_TIMER_MS;
}

function baseUrl({ baseUrl: given, allowInsecureHttp }: HrClientOptions): string {
  const url = httpAddress(given);
  const fault = baseUrlFault(url);
  if (!url || fault !== undefined) throw invalidOption(fault ?? '');
  const insecure = insecureUrlFault(url, 'Tokens and personal data', allowInsecureHttp);
  if (insecure !== undefined) throw new HrError('insecure-url', insecure);
  return url.href.replace(/\/+$/, '');
}

function checkNames(place: string, names: readonly string[], options: object): void {
  const fault = unknownOptionFault(place, options, names);
  if (fault !== undefined) throw invalidOption(fault);
}

function check(holds: boolean, message: string): void {
  if (!holds) throw invalidOption(message);
}

function invalidOption(message: string): HrError {
  return new HrError('invalid-option', message);
}
