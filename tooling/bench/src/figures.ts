/** A median, with the lowest and the highest value. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The median of values and their range. */
export function amount(values: readonly number[]): Figure {
  return { value: quantile(values, 0.5), low: Math.min(...values), high: Math.max(...values) };
}

/** How many times the other values these are, turn by turn: each turn has two of each. */
export function ratio(values: readonly number[], others: readonly number[]): Figure {
  const sums = pairSums(others);
  return amount(pairSums(values).map((sum, turn) => sum / (sums[turn] ?? Number.NaN)));
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

function pairSums(values: readonly number[]): number[] {
  return values.flatMap((value, index) => (index % 2 === 0 ? [value + (values[index + 1] ?? Number.NaN)] : []));
}
