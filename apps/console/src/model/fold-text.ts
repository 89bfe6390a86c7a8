/** Letters that have no decomposition into a base letter and marks. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
};
/** How they are written on keyboards without them. */
const spellings: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The letter without case and accent, in one or two spellings: `Ü` is `u` and `ue`. */
function foldedLetter(letter: string): readonly [plain: string, spelled: string] {
  const lower = letter.toLowerCase();
  const plain = letters[lower] ?? lower.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return [plain, spellings[lower] ?? plain];
}

function foldedWord(word: string): string[] {
  if (/^[a-z0-9]*$/i.test(word)) return [word.toLowerCase()];
  const folded = Array.from(word.normalize('NFC'), foldedLetter);
  const plain = folded.map(([letter]) => letter).join('');
  const spelled = folded.map(([, letter]) => letter).join('');
  return spelled === plain ? [plain] : [plain, spelled];
}

/**
 * Returns the words by which texts can be found, in all spellings, each after a blank: `Müller` is ` muller mueller`, and
 * `O'Neill` is ` o neill oneill`.
 */
export function searchableText(texts: readonly string[]): string {
  let found = '';
  for (const part of texts.join(' ').split(' ')) {
    const words = (part.match(WORD) ?? []).map(foldedWord);
    for (const word of words.flat()) found += ` ${word}`;
    if (words.length > 1) found += ` ${words.map(([plain]) => plain).join('')}`;
  }
  return found;
}

/** Words that somebody searches for, each in one or two spellings. */
export type SearchWords = readonly (readonly string[])[];

export function searchWords(query: string): SearchWords {
  return (query.match(WORD) ?? []).map(foldedWord);
}

/** Whether each word is the beginning of a word of a {@link searchableText}. */
export function matches(searchable: string, words: SearchWords): boolean {
  return words.every((word) => word.some((spelling) => searchable.includes(` ${spelling}`)));
}

/** Cuts a text where words that somebody searches for begin and end. */
export function matchingParts(
  text: string,
  words: SearchWords,
): { readonly text: string; readonly isMatch: boolean }[] {
  const parts: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const length = Math.max(0, ...words.flat().map((sought) => matchingLength(word, sought)));
    if (length === 0) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    end = index + length;
    parts.push({ text: text.slice(index, end), isMatch: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** How much of a word is what somebody searches for, or 0. */
function matchingLength(word: string, sought: string): number {
  let [plain, spelled, length] = ['', '', 0];
  for (const letter of word) {
    const folded = foldedLetter(letter);
    [plain, spelled, length] = [plain + folded[0], spelled + folded[1], length + letter.length];
    if (plain.startsWith(sought) || spelled.startsWith(sought)) return length;
    if (!sought.startsWith(plain) && !sought.startsWith(spelled)) return 0;
  }
  return 0;
}
