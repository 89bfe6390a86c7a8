/** Parses an http(s) URL; undefined for any other text. */
export function httpUrl(text: string): URL | undefined {
  // Not URL.parse, which Node.js 22.0 does not have.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
