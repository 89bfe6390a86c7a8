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

/**
 * Returns the words of a text without case, accents and punctuation. Each word has one or two spellings: `Müller` is
 * `muller` and `mueller`.
 */
export function foldedWords(text: string): string[][] {
  const lower = text.normalize('NFC').toLowerCase();
  return (lower.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => {
    const plain = withoutMarks(word);
    const spelled = withoutMarks(word.replaceAll(/[äöüøå]/g, (letter) => spellings[letter] ?? letter));
    return plain === spelled ? [plain] : [plain, spelled];
  });
}

/**
 * Returns the words by which a text can be found, in all spellings, each after a blank. Parts of a name are words, and so
 * is the name: `O'Neill` is ` o neill oneill`.
 */
export function searchableWords(text: string): string {
  return text
    .split(' ')
    .map((name) => {
      // Most names. It only saves time.
      if (/^[A-Za-z0-9]*$/.test(name)) return name && ` ${name.toLowerCase()}`;
      const words = foldedWords(name);
      const joined = words.length > 1 ? [words.map(([plain]) => plain).join('')] : [];
      return [...words.flat(), ...joined].map((word) => ` ${word}`).join('');
    })
    .join('');
}

function withoutMarks(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]/g, (letter) => letters[letter] ?? letter);
}
