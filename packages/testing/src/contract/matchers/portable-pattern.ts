// Escapes, groups, operators, sets, and other characters that all engines read the same way.
const token =
  /\\[dDwW]|\\x[\da-fA-F]{2}|\\[^\w\s]|\(\?:|\((?!\?)|[)|.*+?]|\{\d+(?:,\d*)?\}|\[(?!\^?\])\^?(?:\\[dw]|\\x[\da-fA-F]{2}|\\[^\w\s]|[^\\\]])+\]|[^\\^$()[\]]/g;

// In other engines, \d and \w also mean digits and letters of other scripts.
const classes: Readonly<Record<string, string>> = { d: '0-9', D: '^0-9', w: '0-9A-Za-z_', W: '^0-9A-Za-z_' };

/**
 * An equivalent pattern that every contract engine reads the same way: anchored, ASCII, without lookaround, such as
 * `^[0-9]{4}$` for `^\d{4}$`. Undefined if there is none.
 */
export function portablePattern(source: string): string | undefined {
  // Some engines match an unanchored pattern against the whole text, others do not.
  if (!source.startsWith('^') || !source.endsWith('$')) return undefined;
  const tokens = source.slice(1, -1).match(token) ?? [];
  if (`^${tokens.join('')}$` !== source) return undefined;
  let depth = 0;
  for (const each of tokens) {
    depth += each.startsWith('(') ? 1 : each === ')' ? -1 : 0;
    // Each anchor would belong to one of the alternatives.
    if (each === '|' && depth === 0) return undefined;
  }
  return `^${tokens.map(portableToken).join('')}$`;
}

function portableToken(each: string): string {
  const [, letter = ''] = /^\\([dw])$/i.exec(each) ?? [];
  if (letter) return `[${classes[letter]}]`;
  if (!each.startsWith('[')) return each.replace(/^[{}]$/, String.raw`\$&`);
  // In a set, some engines read brackets as another set, and doubled marks as an operation.
  const content = each.slice(1, -1).replaceAll(/\\([dw])|\\.|[[&~]/gs, (part, inSet?: string) => {
    return inSet ? (classes[inSet] ?? '') : part.startsWith('\\') ? part : `\\${part}`;
  });
  return `[${content}]`;
}
