// Bidirectional controls show a text in an order that it does not have; joiners, variation selectors and tag characters
// hide text. But names in Persian and Indian scripts, and some emoji, need a joiner or a selector: one of each stays
// after a letter or a symbol, unless it is Latin, Greek or Cyrillic.
const joined = String.raw`(?!\p{DI}|\p{sc=Latn}|\p{sc=Grek}|\p{sc=Cyrl})[\p{L}\p{M}\p{S}]`;
const selector = String.raw`[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;
const needed = String.raw`${joined}(?:${selector}|${selector}?[\u200C\u200D])`;
const invisible = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{DI}](?<!${needed})`, 'gu');

/** A text in one line, without characters that control a terminal, hide text or change its direction. */
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
