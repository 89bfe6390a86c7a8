/** What sort of JSON value this is, in words that show nothing of the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'object':
      return 'an object';
    default:
      return 'nothing';
  }
}

const LONGEST_SHAPE = 40;

/** The form of a text without the text: each digit is a 9, each capital letter an `A`, each other one an `a`. */
export function shapeOf(text: string): string {
  const shape = text
    .slice(0, LONGEST_SHAPE)
    .replaceAll(/\p{Nd}/gu, '9')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/(?!A)\p{L}/gu, 'a');
  return text.length > LONGEST_SHAPE ? `${shape}…` : shape;
}
