import type { Outcome } from './outcome.ts';

/** The known facts about a rejected `fetch`. */
export interface NetworkFault {
  readonly outcome: Extract<Outcome, 'not-sent' | 'unknown'>;
  /** Such as `ECONNREFUSED`, if the platform reports it. */
  readonly systemCode: string | undefined;
  /** Whether the platform does not trust the service's certificate. */
  readonly isUntrusted: boolean;
}

/** Without a connection nothing was sent. Browsers never report this. */
const withoutConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** System calls before there is a connection. */
const callsBeforeConnection = new Set<unknown>(['connect', 'getaddrinfo']);
/** Certificate errors of OpenSSL and Node.js, before anything is sent. */
const untrustedPattern =
  /^(?:CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID)$/;
const systemCodePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const MAX_CAUSE_DEPTH = 5;

/** Reads only the system error code of a `fetch` error: the rest may quote the request. */
export function networkFault(thrown: unknown): NetworkFault {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && error instanceof Error; depth++) {
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

/** If several addresses failed, use the error of the first. */
function systemCall(error: Error): unknown {
  const [one]: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (one as { readonly syscall?: unknown } | undefined)?.syscall;
}
