/**
 * Parses a query or an `application/x-www-form-urlencoded` body into names and values, in order, decoded once;
 * `undefined` if it is not valid percent-encoded UTF-8.
 *
 * @example
 * parseForm('from=2026-01&to=2026-03'); // [['from', '2026-01'], ['to', '2026-03']]
 */
export function parseForm(text: string): (readonly [name: string, value: string])[] | undefined {
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decode(name), decode(value.join('='))] as const;
      });
  } catch {
    return undefined;
  }
}

/**
 * Decodes a value once; `undefined` if it is not valid percent-encoded UTF-8.
 *
 * @example
 * decodeFormValue('a+b%2B'); // 'a b+'
 */
export function decodeFormValue(text: string): string | undefined {
  try {
    return decode(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
