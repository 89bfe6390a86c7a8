// @hr/auth and @hr/client have the same copy of this file, and a test compares them.

/** The known facts about a rejected `fetch`. */
export interface NetworkFault {
  /** The first error with a system code among it and its causes, or the last of its causes. */
  readonly error: unknown;
  /** A system code such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** The message of the error, if there is no code. */
  readonly words: string;
  /** The code, or the words of the platform. */
  readonly reason: string | undefined;
  /** Whether the connection failed. Otherwise the request is refused, or `fetch` has a fault. */
  readonly isOfNetwork: boolean;
}

/** undici refuses to send. */
const refusals = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
const systemCodePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
/** How Node.js, Chromium, Firefox, Safari, Deno and workerd begin to say that a connection failed. */
const networkPattern =
  /^(?:fetch failed$|terminated$|Failed to fetch|NetworkError when|Load failed|network error|Network connection lost|internal error; reference|error sending request|error reading a body|client error|The Internet connection)/;
/** How Node.js, Deno and workerd say that they do not send a request. */
const refusalPattern = /^bad port$|Requests to port \d+ are blocked|not implemented/;
const MAX_CAUSE_DEPTH = 5;
const MAX_WORDS = 120;

/**
 * Reads a `fetch` error: its system code or, if the platform's own `fetch` threw it, its words without addresses and
 * without what may be a part of the request. The error of another `fetch` may quote the request anywhere.
 */
export function networkFault(thrown: unknown, isPlatform: boolean): NetworkFault {
  let error = thrown;
  let words = '';
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && error instanceof Error; depth++) {
    const code = 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && systemCodePattern.test(code)) {
      return { error, code, words, reason: code, isOfNetwork: !refusals.has(code) };
    }
    words = error.message;
    error = error.cause;
  }
  const [reason = ''] = words.replace(/^.*https?:\/\/\S+[ :]*(?:\(\S*\): )?/s, '').split(/[\n{"]/, 1);
  return {
    error,
    code: undefined,
    words,
    reason:
      isPlatform && reason !== 'fetch failed' ? reason.slice(0, MAX_WORDS).replace(/\.$/, '') || undefined : undefined,
    // A platform may have other words for it.
    isOfNetwork: isPlatform ? !refusalPattern.test(words) : networkPattern.test(words),
  };
}
