import { jsonPointer, shownName, type Issue } from '../issues.ts';

/** Deeper than any model, and safe for recursive readers. */
const MAX_DEPTH = 32;
/** More than any model has, and quick to check. */
const MAX_PARTS = 10_000;

/** An object or array that is open at a place in the text. */
interface Level {
  /** The names of an object's members so far; an array has none. */
  readonly names: Set<string> | undefined;
  /** The name or the index of the member that is being read. */
  member: string | number;
}

/**
 * Returns the first fault of a JSON text that `JSON.parse` ignores: more than 10,000 parts, more than 32 levels,
 * duplicate names in an object, or a number that a double does not hold as written (RFC 7493 sections 2.2 and 2.3). It
 * does not check that the text is JSON.
 *
 * @param maxParts maximum number of opening braces, brackets and commas
 * @throws {SyntaxError} if a name is not a JSON string.
 * @example
 * structureFault('{"a":1,"a":2}')?.pointer; // '/a'
 */
export function structureFault(text: string, maxParts = MAX_PARTS): Issue | undefined {
  const levels: Level[] = [];
  const marks = /["{}[\],]|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let isNameNext = false;
  let parts = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [sign] = mark;
    const level = levels.at(-1);
    if (sign === '"') {
      marks.lastIndex = endOfString(text, mark.index);
      if (isNameNext && level?.names) {
        level.member = JSON.parse(text.slice(mark.index, marks.lastIndex)) as string;
        if (level.names.has(level.member)) return faultAt(levels, 'must be given only once');
        level.names.add(level.member);
      }
    } else if (sign === '{' || sign === '[') {
      if (levels.length === MAX_DEPTH) {
        return { pointer: '', code: 'rule', detail: `is nested more than ${MAX_DEPTH} levels deep` };
      }
      levels.push({ names: sign === '{' ? new Set() : undefined, member: 0 });
    } else if (/\d/.test(sign)) {
      if (decimalOf(sign) !== decimalOf(String(Number(sign)))) return faultAt(levels, NOT_HELD);
    } else if (sign !== ',') {
      levels.pop();
    } else if (typeof level?.member === 'number') {
      level.member += 1;
    }
    isNameNext = sign === '{' || sign === ',';
    if (isNameNext || sign === '[') parts += 1;
    if (parts > maxParts) {
      return { pointer: '', code: 'rule', detail: `has more than ${maxParts} opening braces, brackets and commas` };
    }
  }
  return undefined;
}

/** The end of a string that starts at `start`; the end of the text if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function faultAt(levels: readonly Level[], detail: string): Issue {
  const path = levels.map(({ member }) => (typeof member === 'string' ? shownName(member) : member));
  return { pointer: jsonPointer(path), code: 'rule', detail };
}

const NOT_HELD = 'is a number that a double does not hold as written; write at most 15 digits, and 1e-300 to 1e300';

/** The value of a number without sign, written in one way only. */
function decimalOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return length === 0
    ? '0'
    : `${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}
