const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
};

/** The kind of a JSON value, in words that do not show the value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : (kinds[typeof value] ?? 'nothing');
}

const MAX_SHAPE = 40;

/** The form of a text that does not show it: `9` for each digit, `A` for each capital letter, `a` for each other letter. */
export function shapeOf(text: string): string {
  const shape = text
    .slice(0, MAX_SHAPE)
    .replaceAll(/\p{Nd}/gu, '9')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/(?!A)\p{L}/gu, 'a')
    // Control characters could change what a terminal shows.
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
  return shape + (text.length > MAX_SHAPE ? '…' : '');
}

/** A text in words that do not show it. */
export function formOf(text: string): string {
  return text === '' ? 'an empty text' : `text of the form ${shapeOf(text)}`;
}
