/**
 * The names and values of a query or of an `application/x-www-form-urlencoded` body, in order, decoded once;
 * `undefined` where it is not valid percent-encoded UTF-8.
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

/** One encoded value, decoded once; `undefined` where it is not valid percent-encoded UTF-8. */
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
