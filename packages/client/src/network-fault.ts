// @hr/auth and @hr/client have the same copy of this file, and a test compares them.

/** The known facts about a rejected `fetch`. */
export interface NetworkFault {
  readonly outcome: 'not-sent' | 'unknown';
  /** A system code such as `ECONNREFUSED`, or the words of the platform. */
  readonly reason: string | undefined;
  /** Whether the platform does not trust the service's certificate. */
  readonly isUntrusted: boolean;
  /** Whether the connection failed. Otherwise the request is refused, or `fetch` has a fault. */
  readonly isOfNetwork: boolean;
}

/** Without a connection nothing was sent. Browsers never report this. */
const withoutConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** System calls before there is a connection. */
const callsBeforeConnection = new Set<unknown>(['connect', 'getaddrinfo']);
/** undici refuses to send. */
const refusals = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
/** Certificate errors of OpenSSL and Node.js, before anything is sent. */
const untrustedPattern =
  /^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID)$/;
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
      const isUntrusted = untrustedPattern.test(code);
      const isRefused = refusals.has(code);
      const isUnsent =
        isUntrusted || isRefused || withoutConnection.has(code) || callsBeforeConnection.has(systemCall(error));
      return { outcome: isUnsent ? 'not-sent' : 'unknown', reason: code, isUntrusted, isOfNetwork: !isRefused };
    }
    words = error.message;
    error = error.cause;
  }
  const isRefused = isPlatform && refusalPattern.test(words);
  const [reason = ''] = words.replace(/^.*https?:\/\/\S+[ :]*(?:\(\S*\): )?/s, '').split(/[\n{"]/, 1);
  return {
    // Deno has no codes. It sends a request again if a kept connection closes, so it may say that there is no connection
    // after the service received the request.
    outcome: isRefused ? 'not-sent' : 'unknown',
    reason:
      isPlatform && reason !== 'fetch failed' ? reason.slice(0, MAX_WORDS).replace(/\.$/, '') || undefined : undefined,
    isUntrusted: words.includes('client error (Connect)') && words.includes('certificate'),
    // A platform may have other words for it.
    isOfNetwork: isPlatform ? !isRefused : networkPattern.test(words),
  };
}

/** If several addresses failed, use the error of the first. */
function systemCall(error: Error): unknown {
  const [one]: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (one as { readonly syscall?: unknown } | undefined)?.syscall;
}
