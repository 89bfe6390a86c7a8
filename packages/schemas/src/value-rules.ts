import type { RawIssue } from './issues.ts';
import { isLocalDate, localDatePattern, startsWithLocalDate } from './is-local-date.ts';
import { hoursAndMinutes } from './minutes.ts';

/** A string within a length in code points, and of a pattern. */
export function bounded(value: string, min: number, max: number, pattern?: RegExp): RawIssue | undefined {
  if (isTooLong(value, max))
    return { code: 'too_big', maximum: max, origin: 'string', inclusive: true, continue: true };
  if (isTooShort(value, min)) {
    return { code: 'too_small', minimum: min, origin: 'string', inclusive: true, continue: true };
  }
  return pattern && !pattern.test(value) && isUnicode(value) ? wrongFormat('regex', pattern) : undefined;
}

/** A string that a database can store. It is not checked outside the length, as it would be one fault too many. */
export function unicode(value: string, min: number, max: number): RawIssue | undefined {
  return isUnicode(value) || isTooLong(value, max) || isTooShort(value, min) ? undefined : wrongFormat('unicode');
}

// A string has at most as many code points as UTF-16 units, so the exact count is rarely needed.
function isTooLong(value: string, max: number): boolean {
  return value.length > max && (value.length > 2 * max || codePoints(value) > max);
}

function isTooShort(value: string, min: number): boolean {
  return value.length < 2 * min && codePoints(value) < min;
}

function codePoints(value: string): number {
  let count = value.length;
  // Each surrogate pair is one code point of two units.
  for (let at = 1; at < value.length; at++) if (isPair(value, at)) [count, at] = [count - 1, at + 1];
  return count;
}

function isPair(value: string, at: number): boolean {
  const [high, low] = [value.charCodeAt(at - 1), value.charCodeAt(at)];
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

function isUnicode(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

export function localDate(value: string): RawIssue | undefined {
  return isLocalDate(value) ? undefined : wrongFormat('date', localDatePattern);
}

export const localDateTimePattern = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;
const LONGEST = '2026-01-31T08:15:00.123456789'.length;

export function localDateTime(value: string): RawIssue | undefined {
  return value.length <= LONGEST && localDateTimePattern.test(value) && startsWithLocalDate(value)
    ? undefined
    : wrongFormat('local-date-time', localDateTimePattern);
}

export const yearMonthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export function yearMonth(value: string): RawIssue | undefined {
  return value.length === 7 && yearMonthPattern.test(value) ? undefined : wrongFormat('month', yearMonthPattern);
}

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

export function idempotencyKey(value: string): RawIssue | undefined {
  return idempotencyKeyPattern.test(value) ? undefined : wrongFormat('idempotency-key', idempotencyKeyPattern);
}

/** The form of a cursor. */
export const cursorPattern = /^[\w.-]{1,500}$/;

export function cursor(value: string): RawIssue | undefined {
  return cursorPattern.test(value) ? undefined : wrongFormat('cursor', cursorPattern);
}

export const waitSecondsPattern = /^(?:\d|[1-4]\d|50)$/;

export function waitSeconds(value: string): RawIssue | undefined {
  return waitSecondsPattern.test(value) ? undefined : wrongFormat('wait-seconds', waitSecondsPattern);
}

/** A URL of a server without user, password and fragment. */
export const endpointUrlPattern = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^ #/?@]+(?:[/?][^ #]*)?$/;

/** Whether it may be `http` is up to the service. */
export function endpointUrl(value: string): RawIssue | undefined {
  return endpointUrlPattern.test(value) && URL.canParse(value)
    ? undefined
    : wrongFormat('endpoint-url', endpointUrlPattern);
}

const MAX_DIGITS = 15;

/** A number that was not computed, or was rounded: a double holds every decimal of 15 digits. */
export function significantDigits(value: number): RawIssue | undefined {
  return Number(value.toPrecision(MAX_DIGITS)) === value ? undefined : wrongFormat('digits');
}

export function hoursMinutes(value: number): RawIssue | undefined {
  return hoursAndMinutes(value) === undefined ? wrongFormat('hours-minutes') : undefined;
}

function wrongFormat(format: string, pattern?: RegExp): RawIssue {
  return pattern
    ? { code: 'invalid_format', format, continue: true, pattern: pattern.source }
    : { code: 'invalid_format', format, continue: true };
}

type Fields = Readonly<Record<string, unknown>>;

/** One of two fields is empty, such as the street beside a post-office box (section 2.3). */
export function emptyBeside(value: Fields, filled: string, field: string): RawIssue | undefined {
  return value[filled] && value[field] ? broken(`must be empty or absent beside a filled ${filled}`, field) : undefined;
}

/** Dates and months compare as text. */
export function inOrder({ from, to }: { from?: string | undefined; to?: string | undefined }): RawIssue | undefined {
  return from === undefined || to === undefined || from <= to ? undefined : broken('must not be after the end', 'from');
}

/** A list of changes begins at a date or after a cursor. */
export function oneStart({ changedSince, after }: Fields): RawIssue | undefined {
  return changedSince === undefined || after === undefined
    ? undefined
    : broken('must not be given together with changedSince', 'after');
}

export function atLeastOne(value: Fields, names: readonly string[]): RawIssue | undefined {
  return names.some((name) => value[name] !== undefined)
    ? undefined
    : broken(`needs at least one of ${names.join(', ')}`);
}

function broken(message: string, ...path: string[]): RawIssue {
  return { code: 'custom', path, message, continue: true };
}
