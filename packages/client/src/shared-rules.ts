// The rules that @hr/auth and @hr/client have in common. Both have the same copy of this file, and a test compares them.

/** A longer timer overflows 32 bits and fires immediately. */
export const MAX_TIMER_MS = 2_147_483_647;
// The URL parser normalises every spelling of an IPv4 address to four decimal numbers.
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const TOKEN_VALUE = /^[\x21-\x7e]+$/;

/** An absolute http or https address without user, password and fragment; undefined for any other value. */
export function httpAddress(value: unknown): URL | undefined {
  // Not URL.parse, which Node.js 22.0 does not have.
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash ? url : undefined;
}

/** What is wrong with the option `baseUrl`. It does not repeat the value, which may contain a password. */
export function baseUrlFault(url: URL | undefined): string | undefined {
  if (!url || url.search)
    return 'baseUrl must be an absolute http or https address without user, password, query and fragment, such as https://hr.example.com.';
  return /\/api\/v1\/*$/.test(url.pathname) ? 'baseUrl must not contain /api/v1, which is added.' : undefined;
}

/** What is wrong with an address to which something secret is sent. */
export function insecureUrlFault(
  { protocol, hostname, host }: URL,
  secret: string,
  allowInsecureHttp: boolean | undefined,
): string | undefined {
  if (protocol === 'https:' || LOOPBACK.test(hostname) || allowInsecureHttp === true) return undefined;
  return `${secret} would travel unencrypted to ${host}. Use https, or set allowInsecureHttp: true on a network you trust.`;
}

/** Whether a value can be a bearer token: printable ASCII without spaces (RFC 6750, section 2.1). */
export function isTokenValue(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_VALUE.test(value);
}

/** What is wrong with the names of options: a misspelt one would be ignored. */
export function unknownOptionFault(place: string, options: object, names: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  return unknown === undefined
    ? undefined
    : `${place} has an unknown option, ${unknown}. The options are ${names.join(', ')}.`;
}

/**
 * The wait in a `Retry-After` header, in milliseconds (RFC 9110, section 10.2.3): seconds or an HTTP date. At most what a
 * timer can wait, 24 days; undefined for any other text.
 */
export function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const isDate = header.endsWith('GMT');
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : isDate ? Date.parse(header) - Date.now() : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_TIMER_MS);
}
