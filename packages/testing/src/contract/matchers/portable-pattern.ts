const classes: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_' };

const tokens = [
  /\\(?<letters>[dDwW])/,
  /(?<kept>\\x[\da-fA-F]{2}|\\[^\w\s]|\(\?:|\((?!\?)|\)|[|.*+?]|\{\d+(?:,\d*)?\})/,
  /(?<set>\[(?!\^?\])\^?(?:\\[dw]|\\x[\da-fA-F]{2}|\\[^\w\s]|[^\\\]])+\])/,
  /(?<literal>[^\\^$()[\]])/,
].map(({ source }) => source);
const token = new RegExp(tokens.join('|'), 'y');

/**
 * A pattern as every engine that reads contracts understands it alike: whole, in ASCII, without looking around. Nothing
 * where there is no such pattern.
 *
 * @example
 * portablePattern('^\\d{4}$'); // '^[0-9]{4}$': elsewhere, \d also means the digits of other scripts
 */
export function portablePattern(source: string): string | undefined {
  // The engines differ in whether a pattern without anchors means the whole text.
  if (!source.startsWith('^') || !source.endsWith('$')) return undefined;
  const end = source.length - 1;
  let portable = '';
  let depth = 0;
  token.lastIndex = 1;
  while (token.lastIndex < end) {
    const groups = token.exec(source)?.groups;
    if (!groups || token.lastIndex > end) return undefined;
    const { letters, kept, set, literal } = groups;
    if (kept?.startsWith('(')) depth++;
    if (kept === ')') depth--;
    // An anchor would belong to one of the alternatives only.
    if (kept === '|' && depth === 0) return undefined;
    portable += kept ?? literal?.replace(/[{}]/, String.raw`\$&`) ?? (set ? portableSet(set) : portableClass(letters));
  }
  return `^${portable}$`;
}

function portableClass(letter = ''): string {
  const negation = letter === letter.toUpperCase() ? '^' : '';
  return `[${negation}${classes[letter.toLowerCase()]}]`;
}

/** Inside a set, some engines take brackets for another set, and doubled marks for an operation of sets. */
function portableSet(set: string): string {
  const [, start = '', content = ''] = /^(\[\^?)(.*)\]$/su.exec(set) ?? [];
  const portable = content.replaceAll(/\\([dw])|(\\.)|([[&~])/gsu, (_, letter?: string, kept?: string, mark?: string) =>
    letter ? (classes[letter] ?? '') : (kept ?? `\\${mark}`),
  );
  return `${start}${portable}]`;
}
