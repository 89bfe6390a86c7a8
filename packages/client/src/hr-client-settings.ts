import { HrError, checkOption } from './hr-error.ts';
import type { CallOptions, HrClientOptions, RetryOptions } from './hr-client-options.ts';
import { checkedHeaders } from './request-headers.ts';
import { MAX_TIMER_MS, baseUrlFault, httpAddress, insecureUrlFault, unknownOptionFault } from './shared-rules.ts';
import { tokenSource, type TokenSource } from './token-provider.ts';
import { tracing, type Trace } from './tracing.ts';
import { isAppInfo, userAgent } from './user-agent.ts';
import { wireNameTable, type WireNameTable } from './wire-name-table.ts';

/** Options with their defaults. */
type Complete<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> };

type TimeoutName = 'timeout' | 'attemptTimeout' | 'idleTimeout';

/** The options, checked and with their defaults. */
export interface HrClientSettings
  extends Complete<Pick<HrClientOptions, TimeoutName | 'idempotency' | 'onInvalid'>>, Pick<HrClientOptions, 'fetch'> {
  readonly auth: TokenSource;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly retry: Complete<RetryOptions>;
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

/** Checks the options. Every message names the option and the remedy. */
export function hrClientSettings(options: HrClientOptions): HrClientSettings {
  checkOption(typeof options === 'object' && options !== null, 'createHrClient needs its options, { baseUrl, auth }.');
  checkNames('createHrClient', optionNames, options);
  checkOption(
    typeof Promise.withResolvers === 'function',
    'createHrClient needs Node.js 22 or newer, or a current browser.',
  );
  const { idempotency = 'unsupported', onInvalid = 'report' } = options;
  const { fetch, onEvent, wireNames = {}, appInfo } = options;
  const auth = tokenSource(options.auth);
  if (!auth) {
    throw new HrError(
      'invalid-option',
      'auth must be a token provider, such as clientCredentials(…) of @hr/auth, or a function that returns a token.',
    );
  }
  checkOption(
    idempotency === 'unsupported' || idempotency === 'provider-supports',
    "idempotency must be 'unsupported' or 'provider-supports'.",
  );
  checkOption(onInvalid === 'report' || onInvalid === 'throw', "onInvalid must be 'report' or 'throw'.");
  checkOption(fetch === undefined || typeof fetch === 'function', 'fetch must be a function like the global fetch.');
  checkListener(onEvent);
  checkOption(
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
  checkOption(typeof options === 'object' && options !== null, 'the options of a call must be an object.');
  checkNames('the call', callOptionNames, options);
  const { signal, retry, headers, onEvent } = options;
  // A signal may come from another realm.
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  checkOption(signal === undefined || isSignal, 'signal must be an AbortSignal.');
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

/** Extends the timeouts of a call by the seconds that the service may wait before it responds. */
export function extended(settings: CallSettings, seconds: string | undefined): CallSettings {
  // The check of the request reports any other text.
  const wait = (Number(seconds) || 0) * 1000;
  if (wait === 0) return settings;
  const longer = (timeout: number | false) => timeout && Math.min(timeout + wait, MAX_TIMER_MS);
  const { timeout, attemptTimeout, idleTimeout } = settings;
  return {
    ...settings,
    timeout: longer(timeout),
    attemptTimeout: longer(attemptTimeout),
    idleTimeout: longer(idleTimeout),
  };
}

function checkListener(onEvent: HrClientOptions['onEvent']): void {
  checkOption(onEvent === undefined || typeof onEvent === 'function', 'onEvent must be a function.');
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
    checkOption(
      value === false || isTimerMs(value),
      `${name} must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}, or false for no limit.`,
    );
  return timeouts;
}

function checkedRetry(defaults: Complete<RetryOptions>, retry: RetryOptions = {}): Complete<RetryOptions> {
  checkOption(typeof retry === 'object' && retry !== null, 'retry must be { limit?, maxDelay? }.');
  checkNames('retry', Object.keys(defaults), retry);
  const { limit = defaults.limit, maxDelay = defaults.maxDelay } = retry;
  checkOption(Number.isInteger(limit) && limit >= 0, 'retry.limit must be a whole number, 0 for no retries.');
  checkOption(isTimerMs(maxDelay), `retry.maxDelay must be a whole number of milliseconds from 1 to ${MAX_TIMER_MS}.`);
  return { limit, maxDelay };
}

function isTimerMs(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_TIMER_MS;
}

function baseUrl({ baseUrl: given, allowInsecureHttp }: HrClientOptions): string {
  const url = httpAddress(given);
  const fault = baseUrlFault(url);
  if (!url || fault !== undefined) throw new HrError('invalid-option', fault ?? '');
  const insecure = insecureUrlFault(url, 'Tokens and personal data', allowInsecureHttp);
  if (insecure !== undefined) throw new HrError('insecure-url', insecure);
  return url.href.replace(/\/+$/, '');
}

/** Throws for a misspelt option. */
export function checkNames(place: string, names: readonly string[], options: object): void {
  const fault = unknownOptionFault(place, options, names);
  checkOption(fault === undefined, fault ?? '');
}
