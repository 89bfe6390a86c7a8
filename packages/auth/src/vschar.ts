const VSCHAR = /^[\x20-\x7e]+$/;

/** Whether a value is a text of printable ASCII, the alphabet of ids, secrets and scopes (RFC 6749, appendix A). */
export function isVschar(value: unknown): value is string {
  return typeof value === 'string' && VSCHAR.test(value);
}
