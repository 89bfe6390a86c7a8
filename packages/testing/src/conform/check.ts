import type { ConformRun } from './conform-run.ts';
import type { Deviation } from './deviation.ts';

/** A rule of the specification, and the function that checks it. */
export interface Check {
  readonly id: string;
  /** Section of the HR Cloud API specification. */
  readonly section: string;
  /** 1 only reads; 2 writes to the permitted person or contract. */
  readonly level: 1 | 2;
  /** `should` where the specification is silent: a deviation does not fail the run. */
  readonly severity: 'must' | 'should';
  /** The rule in a sentence. */
  readonly rule: string;
  readonly run: (run: ConformRun) => Promise<readonly Deviation[]> | readonly Deviation[];
}
