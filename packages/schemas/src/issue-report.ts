import type { RawIssue } from './issues.ts';

/** An issue that a generated check found. */
export interface ReportedIssue extends RawIssue {
  readonly path: PropertyKey[];
  /** Whether the value has the wrong type. */
  readonly unusable?: boolean;
}

/** The issues of a value, in the order in which they were found, up to a limit. */
export class IssueList {
  readonly found: ReportedIssue[] = [];
  readonly #limit: number;
  #isUnusable = false;

  /** @param limit - How many to keep, besides the first one of a wrong type. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get length(): number {
    return this.found.length;
  }

  /** Whether it would keep no further broken bound. */
  get isFull(): boolean {
    return this.found.length >= this.#limit;
  }

  /** Whether it would keep no further issue. */
  get isDone(): boolean {
    return this.#isUnusable && this.isFull;
  }

  add(issue: ReportedIssue): void {
    const isFirst = issue.unusable === true && !this.#isUnusable;
    if (isFirst || !this.isFull) this.found.push(issue);
    if (isFirst) this.#isUnusable = true;
  }
}

/**
 * The value of a field. Named in the code, the field would take a microsecond if V8 has not seen the other names of the
 * object; here V8 expects any.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the generated checks
export function fieldOf(object: any, name: string): any {
  return object[name];
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function wrongType(issues: IssueList, expected: string, ...path: PropertyKey[]): void {
  issues.add({ code: 'invalid_type', expected, path, unusable: true });
}

/** Whether the bounds of an integer apply to a value that is no safe integer. */
export function isInteger(issues: IssueList, value: number, key: PropertyKey): boolean {
  if (!Number.isFinite(value)) wrongType(issues, 'number', key);
  else if (!Number.isInteger(value)) wrongType(issues, 'int', key);
  else if (value > 0) outOfRange(issues, 'too_big', Number.MAX_SAFE_INTEGER, key, true);
  else outOfRange(issues, 'too_small', Number.MIN_SAFE_INTEGER, key, true);
  return Number.isInteger(value);
}

export function outOfRange(
  issues: IssueList,
  code: 'too_big' | 'too_small',
  bound: number,
  key: PropertyKey,
  unusable = false,
): void {
  const range = code === 'too_big' ? { maximum: bound } : { minimum: bound };
  issues.add({ code, ...range, origin: 'number', continue: true, path: [key], unusable });
}

/** A value outside a closed list breaks a bound; a value instead of a marker has the wrong type. */
export function notAllowed(issues: IssueList, value: unknown, values: readonly unknown[], key: PropertyKey): void {
  const unusable = typeof value !== 'string' || typeof values[0] !== 'string';
  issues.add({ code: 'invalid_value', values, path: [key], unusable });
}

/** Adds what a rule found, if anything. */
export function report(issues: IssueList, issue: RawIssue | undefined, ...path: PropertyKey[]): void {
  if (issue && !issues.isFull) issues.add({ ...issue, path: [...path, ...(issue.path ?? [])] });
}

export function unknownNames(issues: IssueList, object: object, names: readonly string[]): void {
  const keys: string[] = [];
  // Inherited names count too: reading the fields finds them.
  for (const key in object) if (!names.includes(key)) keys.push(key);
  if (keys.length > 0) issues.add({ code: 'unrecognized_keys', keys, continue: true, path: [] });
}

/** Puts the name of a value before the paths of its issues. */
export function below(issues: IssueList, start: number, key: PropertyKey): void {
  for (let at = start; at < issues.length; at++) issues.found[at]?.path.unshift(key);
}

/** Whether the rules of an object apply: they read its fields. */
export function isSound(issues: IssueList, start: number): boolean {
  return issues.found.slice(start).every((issue) => issue.continue);
}
