import type { Bench } from './open-bench.ts';
import type { Figure } from './figures.ts';

/** A measure: a ratio, or an amount with a unit. */
export interface Row {
  readonly measure: string;
  /** What the measure is divided by; `undefined` for an amount. */
  readonly against?: string;
  readonly figure: Figure;
  readonly unit: '×' | 'ms' | 's' | 'µs' | 'MB' | '';
  /** For instance `≤ 1.3`. */
  readonly goal: string;
}

/** Benchmarks that run together, such as `lists`. */
export interface Part {
  readonly name: string;
  /** Whether it needs absences, salaries and time bookings. */
  readonly histories?: true;
  run(bench: Bench): Promise<readonly Row[]>;
}
