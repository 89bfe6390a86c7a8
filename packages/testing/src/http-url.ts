/** The address that a text is, if it is one of http. */
export function httpUrl(text: string): URL | undefined {
  // Not URL.parse, which the first Node.js 22 does not have.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
