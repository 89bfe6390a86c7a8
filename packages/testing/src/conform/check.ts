import type { ListOperationId } from '@hr/schemas';
import { table } from '../model/lists.ts';
import type { ConformRun } from './conform-run.ts';

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
  /** Further deviations of the same kind, such as those of other operations or fields. */
  readonly others?: readonly Pick<Deviation, 'place' | 'request'>[];
}

/** Text that deviations of the same kind have in common: without indexes, statuses and fields of a body. */
export function likenessOf({ place, expected, got }: Deviation): string {
  return [place.replaceAll(/ \/\S*|\[\d+\]|(?<=status )\d+/g, ''), expected, got].join('\0');
}

/** The first deviation of each kind, with the others. */
export function grouped(deviations: readonly Deviation[]): Deviation[] {
  return [...Map.groupBy(deviations, likenessOf).values()].flatMap(([first, ...more]) => {
    const others = more.map(({ place, request }) => ({ place, request }));
    return first ? { ...first, ...(others.length > 0 && { others }) } : [];
  });
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

/** A rule of the specification, and the function that checks it. */
export interface Check extends Omit<CheckedRule, 'level'> {
  readonly run: (run: ConformRun) => Promise<readonly Deviation[]> | readonly Deviation[];
}

/** A check cannot be made here. The message is the reason. */
export class NotTried extends Error {}

type NewCheck = (section: string, id: string, rule: string, run: Check['run']) => Check;

/** A rule that the specification states. */
export const must: NewCheck = (section, id, rule, run) => ({ id, section, severity: 'must', rule, run });

/** A decision where the specification is silent. */
export const should: NewCheck = (section, id, rule, run) => ({ id, section, severity: 'should', rule, run });

/** A rule of a list, in the section of its operation. Operations that the specification does not have are a `should`. */
export function ofList(
  operation: ListOperationId,
  kind: string,
  rule: string,
  run: Check['run'],
  isDecided = false,
): Check {
  const { section = '', extension } = table[operation] ?? {};
  return (isDecided || extension ? should : must)(section, `${kind}-${operation}`, rule, run);
}
