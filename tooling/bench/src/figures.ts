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

/** A median, with the lowest and the highest value. */
interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The median of values and their range. */
export function amount(row: Pick<Row, 'measure' | 'unit' | 'goal'>, values: readonly number[]): Row {
  return { ...row, figure: figureOf(values) };
}

/** How many times the other values these are, turn by turn: each turn has two of each. */
export function ratio(
  row: Pick<Required<Row>, 'measure' | 'against' | 'goal'>,
  values: readonly number[],
  others: readonly number[],
): Row {
  const sums = pairSums(others);
  return { ...row, unit: '×', figure: figureOf(pairSums(values).map((sum, turn) => sum / (sums[turn] ?? Number.NaN))) };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

function figureOf(values: readonly number[]): Figure {
  return { value: quantile(values, 0.5), low: Math.min(...values), high: Math.max(...values) };
}

function pairSums(values: readonly number[]): number[] {
  return values.flatMap((value, index) => (index % 2 === 0 ? [value + (values[index + 1] ?? Number.NaN)] : []));
}
