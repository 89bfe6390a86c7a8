/**
 * Search in names, as the mirror does: without case and accents, and with the spellings of keyboards without umlauts.
 *
 * @packageDocumentation
 */

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
  ς: 'σ',
};
/** How they are written on keyboards without them. */
const spellings: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const MAX_MEMO = 10_000;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

type FoldedLetter = readonly [plain: string, spelled: string];

/** It only saves time. Names have few different letters. */
const memo = new Map<string, FoldedLetter>();

/** The words of a search, each in one or two spellings. */
export type SearchWords = readonly (readonly string[])[];

/** Returns the words of a search, for {@link matches} and {@link matchingParts}. */
export function searchWords(query: string): SearchWords {
  return (query.match(WORD) ?? []).map(foldedWord);
}

/**
 * Returns the words by which a text can be found, in all spellings, each after a blank. Parts of a name are words, and so
 * is the name.
 *
 * @example
 * ```ts
 * searchableText("Jörg O'Neill"); // ' jorg joerg o neill oneill'
 * ```
 */
export function searchableText(text: string): string {
  let found = '';
  for (const part of text.split(' ')) {
    const words = (part.match(WORD) ?? []).map(foldedWord);
    for (const word of words.flat()) found += ` ${word}`;
    if (words.length > 1) found += ` ${words.map(([plain]) => plain).join('')}`;
  }
  return found;
}

/**
 * Returns whether each word of a search is the beginning of a word of a {@link searchableText}.
 *
 * @example
 * ```ts
 * matches(searchableText('Jörg Müller'), searchWords('mueller jo')); // true
 * ```
 */
export function matches(searchable: string, words: SearchWords): boolean {
  return words.every((word) => word.some((spelling) => searchable.includes(` ${spelling}`)));
}

/**
 * Cuts a text where words of a search begin and end, to highlight them.
 *
 * @example
 * ```ts
 * matchingParts('Jörg Müller', searchWords('mue'));
 * // [{ text: 'Jörg ', isMatch: false }, { text: 'Mü', isMatch: true }, { text: 'ller', isMatch: false }]
 * ```
 */
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
  // A letter and its marks belong together.
  for (const letter of word.match(/.\p{M}*/gsu) ?? []) {
    const folded = foldedLetter(letter.normalize('NFC'));
    [plain, spelled, length] = [plain + folded[0], spelled + folded[1], length + letter.length];
    if (plain.startsWith(sought) || spelled.startsWith(sought)) return length;
    if (!sought.startsWith(plain) && !sought.startsWith(spelled)) return 0;
  }
  return 0;
}

function foldedWord(word: string): string[] {
  // Most words are plain. It only saves time.
  if (/^[a-z0-9]*$/i.test(word)) return [word.toLowerCase()];
  const folded = Array.from(word.normalize('NFC'), foldedLetter);
  const plain = folded.map(([letter]) => letter).join('');
  const spelled = folded.map(([, letter]) => letter).join('');
  return spelled === plain ? [plain] : [plain, spelled];
}

/** The letter without case and accent, in one or two spellings: `Ü` is `u` and `ue`. */
function foldedLetter(letter: string): FoldedLetter {
  const known = memo.get(letter);
  if (known) return known;
  const lower = letter.toLowerCase();
  const plain = lower
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (each) => letters[each] ?? each)
    .replaceAll(/\p{M}/gu, '');
  const folded: FoldedLetter = [plain, spellings[lower] ?? plain];
  if (memo.size < MAX_MEMO) memo.set(letter, folded);
  return folded;
}
