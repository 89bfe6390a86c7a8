/** The kind of a JSON value, in words that do not show the value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    case 'object':
      return 'an object';
    default:
      return 'nothing';
  }
}

const MAX_SHAPE = 40;

/** The form of a text that does not show it: `9` for each digit, `A` for each capital letter, `a` for each other letter. */
export function shapeOf(text: string): string {
  const shape = text
    .slice(0, MAX_SHAPE)
    .replaceAll(/\p{Nd}/gu, '9')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/(?!A)\p{L}/gu, 'a');
  return text.length > MAX_SHAPE ? `${shape}…` : shape;
}
