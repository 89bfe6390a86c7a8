import { printable } from '@hr/text/printable';

/** A value as the text that the model reads: compact JSON without characters that hide or reorder text. */
export function modelText(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) => (typeof field === 'string' ? printable(field) : field));
}

/**
 * Estimates the tokens of a text: one for two letters or signs of ASCII, one for each digit, and one for each byte of any
 * other character. Tokenizers make about half as many of results, and nearly as many of random ids.
 */
export function tokensOf(text: string): number {
  const dense = text.replaceAll(/[ -/:-~]+/g, '');
  return (Buffer.byteLength(text) + Buffer.byteLength(dense)) / 2;
}

const LONGEST = 65_536;

/** The value if it has at most so many tokens; otherwise a copy with shorter texts and lists, and fewer fields. */
export function fitted<Value extends object | string>(value: Value, maxTokens: number): Value {
  let copy = value;
  for (let length = LONGEST; length > 0 && tokensOf(modelText(copy)) > maxTokens; length >>= 1) {
    copy = shortened(value, length) as Value;
  }
  return copy;
}

/** A text with at most so many characters, none of them halved, and a sign that it was longer. */
export function shortText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

function shortened(value: unknown, length: number): unknown {
  if (typeof value === 'string') return shortText(value, length);
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.entries(value);
  const fields: [string, unknown][] = all.slice(0, length).map(([name, field]) => [name, shortened(field, length)]);
  if (all.length > length) fields.push(['…', `… ${all.length - length} more`]);
  return Array.isArray(value) ? fields.map(([, element]) => element) : Object.fromEntries(fields);
}
