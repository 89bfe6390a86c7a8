import type { Outcome } from './outcome.ts';

/** What can be told of a `fetch` that rejected. */
export interface NetworkFault {
  readonly outcome: Extract<Outcome, 'not-sent' | 'unknown'>;
  /** Such as `ECONNREFUSED`, where the platform tells. */
  readonly systemCode: string | undefined;
  /** Whether the service showed a certificate that the platform does not trust. */
  readonly isUntrusted: boolean;
}

/** With these there was no connection, so nothing can have been sent on it. A browser never tells. */
const withoutConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** System calls that come before any connection. */
const callsBeforeConnection = new Set<unknown>(['connect', 'getaddrinfo']);
/** What OpenSSL and Node.js find wrong with a certificate, before anything is sent. */
const untrustedPattern =
  /^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID)$/;
const systemCodePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const DEEPEST_CAUSE = 5;

/** Reads the system's error code out of what `fetch` threw, and nothing else: the rest may quote the request. */
export function networkFault(thrown: unknown): NetworkFault {
  let error = thrown;
  for (let depth = 0; depth < DEEPEST_CAUSE && error instanceof Error; depth++) {
    const code = 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && systemCodePattern.test(code)) {
      const isUntrusted = untrustedPattern.test(code);
      const isUnsent = isUntrusted || withoutConnection.has(code) || callsBeforeConnection.has(systemCall(error));
      return { outcome: isUnsent ? 'not-sent' : 'unknown', systemCode: code, isUntrusted };
    }
    error = error.cause;
  }
  return { outcome: 'unknown', systemCode: undefined, isUntrusted: false };
}

/** One of several addresses that were tried stands for all of them. */
function systemCall(error: Error): unknown {
  const [one]: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (one as { readonly syscall?: unknown } | undefined)?.syscall;
}
