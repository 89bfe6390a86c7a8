/** How long a `Retry-After` header asks to wait, in milliseconds (RFC 9110, section 10.2.3): seconds or an HTTP date. */
export function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const milliseconds = header.endsWith('GMT') ? Date.parse(header) - Date.now() : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
