// Bidirectional controls show a text in an order that it does not have. The joiners U+200C and U+200D are invisible too,
// but names in Persian and some emoji need them.
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}]/gu;

/** A text in one line, without characters that control a terminal or change the direction of text. */
export function printable(text: string): string {
  return text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(invisible, '')
    .toWellFormed();
}

/** JSON with the same values, in which such characters are escaped. Lines and indentation stay. */
export function printableJson(text: string): string {
  return text.replaceAll(invisible, (character) => {
    if (character === '\n' || character === '\t') return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
