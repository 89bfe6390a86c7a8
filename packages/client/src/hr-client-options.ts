import type { WireNames } from '@hr/schemas/checks';
import type { HrClientEvent } from './hr-client-event.ts';
import type { TokenFunction, TokenProvider } from './token-provider.ts';
import type { AppInfo } from './user-agent.ts';

/** Maximum number and delay of retries. */
export interface RetryOptions {
  /**
   * Maximum number of retries after the first attempt; 0 for none.
   *
   * @default 2
   */
  readonly limit?: number | undefined;
  /**
   * Maximum delay before a retry, in milliseconds. If `Retry-After` exceeds it, the call fails immediately. Without
   * `Retry-After` the delay is random: up to 300 ms before the first retry, and twice as much before each further one.
   *
   * @default 30_000
   */
  readonly maxDelay?: number | undefined;
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
  readonly timeout?: number | false | undefined;
  /**
   * Maximum time until the head of a response, for each attempt, in milliseconds. After it, the client retries as after a
   * network error. `false` for no limit beside `timeout`.
   *
   * @default 30_000
   */
  readonly attemptTimeout?: number | false | undefined;
  /**
   * Maximum time without a byte of a response, in milliseconds, such as on a connection that was lost silently. `false` for
   * no limit beside `timeout`.
   *
   * @default 30_000
   */
  readonly idleTimeout?: number | false | undefined;
  /**
   * Retries. The client retries reads and `persons.update` on 408, 429, 500, 502, 503, 504 and on network errors before
   * the response begins. For payments, see `idempotency`.
   */
  readonly retry?: RetryOptions | undefined;
  /**
   * Whether the service supports `Idempotency-Key`, which the specification does not have. With `provider-supports`, the
   * client retries a payment with a key like a read, and on 409 while its key is in flight. Otherwise it retries a payment
   * only if there was no connection. It sends the key in both cases.
   *
   * @default 'unsupported'
   */
  readonly idempotency?: 'unsupported' | 'provider-supports' | undefined;
  /**
   * What to do with a response that breaks a bound of the specification, such as a job title of 401 characters: return it
   * and report an `invalid` event, or throw `invalid-response`. A wrong type or a missing required field always throws.
   *
   * @default 'report'
   */
  readonly onInvalid?: 'report' | 'throw' | undefined;
  /** Names of query parameters in the URL that differ from `wireNames` of `@hr/schemas`. */
  readonly wireNames?: WireNames | undefined;
  /** The program that uses the client, for the header `User-Agent`. Browsers ignore it. */
  readonly appInfo?: AppInfo | undefined;
  /**
   * Sends the requests instead of the global `fetch`, such as through a proxy. It must honour `redirect: 'manual'`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Receives an event for each step of each call, for logs and metrics. The client ignores errors of this function. */
  readonly onEvent?: ((event: HrClientEvent) => void) | undefined;
  /**
   * Allows plain http to another machine. Everyone on the network path can then read tokens and personal data. Loopback
   * is always allowed.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined;
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
