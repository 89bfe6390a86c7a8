import type { RawIssue } from './issues.ts';

/** An issue that a generated check found. */
export interface ReportedIssue extends RawIssue {
  readonly path: PropertyKey[];
  /** Whether the value has the wrong type. */
  readonly unusable?: boolean;
}

/**
 * Maximum number of issues, so that the work on a value of any size is that of reading it. A check goes on for the first
 * value of the wrong type, which decides whether the whole is usable, and ends with the issue after the maximum.
 */
export const MAX_ISSUES = 100;

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function wrongType(issues: ReportedIssue[], expected: string, ...path: PropertyKey[]): void {
  issues.push({ code: 'invalid_type', expected, path, unusable: true });
}

/** Whether the bounds of an integer apply to a value that is no safe integer. */
export function isInteger(issues: ReportedIssue[], value: number, key: PropertyKey): boolean {
  if (!Number.isFinite(value)) wrongType(issues, 'number', key);
  else if (!Number.isInteger(value)) wrongType(issues, 'int', key);
  else if (value > 0) outOfRange(issues, 'too_big', Number.MAX_SAFE_INTEGER, key, true);
  else outOfRange(issues, 'too_small', Number.MIN_SAFE_INTEGER, key, true);
  return Number.isInteger(value);
}

export function outOfRange(
  issues: ReportedIssue[],
  code: 'too_big' | 'too_small',
  bound: number,
  key: PropertyKey,
  unusable = false,
): void {
  if (!unusable && issues.length >= MAX_ISSUES) return;
  const range = code === 'too_big' ? { maximum: bound } : { minimum: bound };
  issues.push({ code, ...range, origin: 'number', continue: true, path: [key], unusable });
}

/** A value outside a closed list breaks a bound; a value instead of a marker has the wrong type. */
export function notAllowed(
  issues: ReportedIssue[],
  value: unknown,
  values: readonly unknown[],
  key: PropertyKey,
): void {
  const unusable = typeof value !== 'string' || typeof values[0] !== 'string';
  if (unusable || issues.length < MAX_ISSUES) issues.push({ code: 'invalid_value', values, path: [key], unusable });
}

/** Adds what a rule found, if anything. */
export function report(issues: ReportedIssue[], issue: RawIssue | undefined, ...path: PropertyKey[]): void {
  if (issue && issues.length < MAX_ISSUES) issues.push({ ...issue, path: [...path, ...(issue.path ?? [])] });
}

export function unknownNames(issues: ReportedIssue[], object: object, names: readonly string[]): void {
  const keys: string[] = [];
  // Inherited names count too: reading the fields finds them.
  for (const key in object) {
    if (!names.includes(key)) keys.push(key);
    if (keys.length === MAX_ISSUES) break;
  }
  if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, continue: true, path: [] });
}

/** Puts the name of a value before the paths of its issues. */
export function below(issues: readonly ReportedIssue[], start: number, key: PropertyKey): void {
  for (let at = start; at < issues.length; at++) issues[at]?.path.unshift(key);
}

/** Whether the rules of an object apply: they read its fields. */
export function isSound(issues: readonly ReportedIssue[], start: number): boolean {
  return issues.slice(start).every((issue) => issue.continue);
}
