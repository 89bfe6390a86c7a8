import type { CheckedRule } from './conform-options.ts';
import type { ConformRun } from './conform-run.ts';
import type { Deviation } from './deviation.ts';

/** A rule of the specification, and the function that checks it. */
export interface Check extends CheckedRule {
  readonly run: (run: ConformRun) => Promise<readonly Deviation[]> | readonly Deviation[];
}
