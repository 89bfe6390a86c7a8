import type { Row } from './figures.ts';
import type { Bench } from './open-bench.ts';

/**
 * Benchmarks that run together, such as `lists`. Nothing else may run while something is measured: `Array.fromAsync` begins
 * the next only when the one before has ended.
 */
export interface Part {
  readonly name: string;
  /** Whether it needs absences, salaries and time bookings. */
  readonly histories?: true;
  run(bench: Bench): Promise<readonly Row[]>;
}
