import { currentName } from './renames.ts';

/** The kind of a fault. A minor version may add codes. */
export type IssueCode =
  | 'required'
  | 'wrong-type'
  | 'unknown-name'
  | 'former-name'
  | 'too-long'
  | 'too-short'
  | 'out-of-range'
  | 'wrong-format'
  | 'not-allowed'
  | 'rule'
  | (string & {});

/**
 * One fault of a value. It names the place and never contains the value.
 *
 * @sealed
 */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the leaf, such as `/addresses/0/zipCode`; empty for the whole value. */
  readonly pointer: string;
  readonly code: IssueCode;
  /** What the value must be, as the rest of a sentence: `must have at most 10 characters`. */
  readonly detail: string;
}

/** An issue as zod describes it. */
export interface RawIssue {
  readonly code: string;
  /** The names to the place; none is the whole value. */
  readonly path?: PropertyKey[];
  readonly message?: string;
  /** Of `invalid_type`. */
  readonly expected?: string | undefined;
  /** Of `invalid_value`. */
  readonly values?: readonly unknown[];
  /** Of `unrecognized_keys`. */
  readonly keys?: readonly string[];
  /** Of `too_big` and `too_small`: what the bound is of. */
  readonly origin?: string;
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly inclusive?: boolean;
  /** Of `invalid_format`. */
  readonly format?: string;
  readonly pattern?: string;
  /** Whether the rules of the object that holds the value still apply. */
  readonly continue?: boolean;
}

/**
 * Translates zod's issues. The result contains nothing of the value itself, so it may be logged.
 *
 * @param error - The error of `safeParse`.
 * @param value - The parsed value; it tells a missing field from a wrong one.
 * @example
 * const { error } = PersonPatch.safeParse(body);
 * if (error) console.error(issuesOf(error, body)); // [{ pointer: '/addresses/0/zipCode', code: 'too-long', … }]
 */
export function issuesOf(error: { readonly issues: readonly { readonly code: string }[] }, value: unknown): Issue[] {
  return error.issues.flatMap((issue) => translate(issue, value));
}

/** The JSON Pointer (RFC 6901) of a path. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const formats: Record<string, string> = {
  date: 'a calendar date YYYY-MM-DD that exists',
  'local-date-time': 'a date and time YYYY-MM-DDTHH:MM:SS without zone offset',
  'hours-minutes': 'hours and minutes with two decimals, .00 to .59',
  'idempotency-key': '1 to 255 visible ASCII characters without spaces',
  cursor: 'the HR-Cursor of an earlier response',
  'endpoint-url': 'an https URL without user, password and fragment',
  'wait-seconds': 'a whole number of seconds from 0 to 50',
  digits: 'rounded to at most 15 significant digits, such as with Math.round(amount * 100) / 100',
  unicode: 'text without lone surrogates and without NUL',
  month: 'a month YYYY-MM, 01 to 12',
};

/** What the length of a value counts; other values have a size instead. */
const units: Record<string, string> = { string: 'characters', array: 'elements' };

function translate(issue: RawIssue, value: unknown): Issue | Issue[] {
  const { path = [], values = [], origin = '', expected = typeof values[0] } = issue;
  const pointer = jsonPointer(path);
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value': {
      const found = valueAt(value, path);
      if (found === undefined) return { pointer, code: 'required', detail: 'is required' };
      if (found instanceof Date && expected === 'string')
        return { pointer, code: 'wrong-type', detail: 'must be a string such as 2026-01-31 or 2026-01, not a Date' };
      return issue.code === 'invalid_value' && typeof found === expected
        ? { pointer, code: 'not-allowed', detail: `must be one of ${values.map(String).join(', ')}` }
        : { pointer, code: 'wrong-type', detail: `must be ${typeNames[expected] ?? expected}` };
    }
    case 'unrecognized_keys':
      return (issue.keys ?? []).map((key) => unknownName(path, key));
    case 'too_big':
      return origin in units
        ? { pointer, code: 'too-long', detail: `must have at most ${issue.maximum} ${units[origin]}` }
        : { pointer, code: 'out-of-range', detail: `must be at most ${issue.maximum}` };
    case 'too_small':
      return origin in units
        ? { pointer, code: 'too-short', detail: `must have at least ${issue.minimum} ${units[origin]}` }
        : { pointer, code: 'out-of-range', detail: `must be at least ${issue.minimum}` };
    case 'invalid_format':
      return {
        pointer,
        code: 'wrong-format',
        detail: `must be ${formats[issue.format ?? ''] ?? `a string that matches ${issue.pattern}`}`,
      };
    default:
      return { pointer, code: 'rule', detail: issue.message ?? '' };
  }
}

const typeNames: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const MAX_NAME_LENGTH = 80;

/** A name that its sender made up, for a pointer: short, and text that every database and terminal takes. */
export function shownName(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

function unknownName(path: readonly PropertyKey[], key: string): Issue {
  const pointer = jsonPointer([...path, shownName(key)]);
  const current = currentName(key);
  return current === undefined
    ? { pointer, code: 'unknown-name', detail: 'is not known here; remove it or correct its name' }
    : { pointer, code: 'former-name', detail: `is the former name of ${current}; write that` };
}

/** The value at a path; `undefined` where there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const name of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[name];
  return found;
}
