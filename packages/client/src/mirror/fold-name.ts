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

/**
 * Returns the words of a text without case, accents and punctuation. Each word has one or two spellings: `Müller` is
 * `muller` and `mueller`.
 */
export function foldedWords(text: string): string[][] {
  const lower = text.normalize('NFC').toLowerCase();
  return (lower.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => {
    const spelled = word.replaceAll(/[äöüøå]/g, (letter) => spellings[letter] ?? letter);
    return spelled === word ? [withoutMarks(word)] : [withoutMarks(word), withoutMarks(spelled)];
  });
}

/**
 * Returns the words by which a text can be found, in all spellings, each after a blank. Parts of a name are words, and so
 * is the name: `O'Neill` is ` o neill oneill`.
 *
 * @param memo - Keeps the spellings of names, because many persons share them. It only saves time.
 */
export function searchableWords(text: string, memo: Map<string, string>): string {
  let found = '';
  for (const name of text.split(' ')) {
    if (name === '') continue;
    let spelled = isPlain(name) ? ` ${name.toLowerCase()}` : memo.get(name);
    if (spelled === undefined) {
      spelled = spellingsOf(name);
      if (memo.size < MAX_MEMO) memo.set(name, spelled);
    }
    found += spelled;
  }
  return found;
}

function spellingsOf(name: string): string {
  const words = foldedWords(name);
  const joined = words.length > 1 ? [words.map(([plain]) => plain).join('')] : [];
  return [...words.flat(), ...joined].map((word) => ` ${word}`).join('');
}

function withoutMarks(word: string): string {
  if (isPlain(word)) return word;
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/\p{M}/gu, '');
}

/** Most words are. It only saves time. */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9]*$/.test(word);
}
