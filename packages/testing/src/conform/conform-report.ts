import type { WireNames } from '@hr/schemas';

/**
 * A rule of the specification.
 *
 * @sealed
 */
export interface CheckedRule {
  readonly id: string;
  /** Section of the HR Cloud API specification. */
  readonly section: string;
  /** 1 only reads; 2 writes to the permitted person or contract; 3 sets up provider states. */
  readonly level: 1 | 2 | 3;
  /** `should` where the specification is silent: a deviation does not fail the run. */
  readonly severity: 'must' | 'should';
  /** The rule in a sentence. */
  readonly rule: string;
}

/**
 * One deviation of an HR cloud from a rule. It contains no value of a person.
 *
 * @sealed
 */
export interface Deviation {
  /** The place, such as `[*].address.zipCode` or `status`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
  /** The request as a curl command, with `$TOKEN` and other variables instead of values that must not be shown. */
  readonly request: string;
}

/**
 * The outcome of one check.
 *
 * @sealed
 */
export interface CheckResult extends CheckedRule {
  readonly outcome: 'passed' | 'failed' | 'not tried';
  /** Why it was not tried. */
  readonly reason?: string;
  readonly deviations: readonly Deviation[];
}

/** The number of requests with a status, and of their fields. */
export type Coverage = Record<string, Record<string, { requests: number; fields: Record<string, number> }>>;

/**
 * Whether an HR cloud conforms to the specification. It contains no value of a person.
 *
 * @sealed
 */
export interface ConformReport {
  /** Whether no check with the severity `must` failed, and the person is restored. */
  readonly ok: boolean;
  readonly interrupted: boolean;
  readonly baseUrl: string;
  /** Repeats the generated requests. */
  readonly seed: number;
  /** For `createHrClient`: names of query parameters that differ from those of the packages. */
  readonly wireNames: WireNames;
  /** What the run changed, restored or could not restore. */
  readonly notes: readonly string[];
  readonly checks: readonly CheckResult[];
  /** Requests by operation and status, with the number of occurrences of each field. */
  readonly coverage: Coverage;
}
