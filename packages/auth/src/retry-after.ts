/** How long a `Retry-After` header asks to wait, in milliseconds (RFC 9110, section 10.2.3): seconds or an HTTP date. */
export function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
