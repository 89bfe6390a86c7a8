import type { ListOperationId } from '@hr/schemas';
import { table } from '../model/lists.ts';
import type { CheckedRule, Deviation } from './conform-report.ts';
import type { ConformRun } from './conform-run.ts';

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
