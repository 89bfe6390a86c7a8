/** A measure: a ratio, or an amount with a unit. */
export interface Row {
  readonly measure: string;
  /** What the measure is divided by; `undefined` for an amount. */
  readonly against?: string;
  readonly figure: Figure;
  readonly unit: '×' | 'ms' | 's' | 'µs' | 'MB' | '';
  readonly goal: Goal;
  /** Why the goal is missed. Write it once you know: a goal that is missed without a reason fails the run. */
  readonly missedBecause?: string;
}

/** What the median has to be, in the unit of the row. */
type Goal = `${'≤' | '≥'} ${number}`;

/** A median, with the lowest and the highest value. All are rounded, so that a goal is judged by what is shown. */
interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The median of values and their range. */
export function amount(row: Pick<Row, 'measure' | 'unit' | 'goal' | 'missedBecause'>, values: readonly number[]): Row {
  return { ...row, figure: figureOf(values) };
}

/** How many times the other values these are, turn by turn: each turn has two of each. */
export function ratio(
  row: Pick<Row, 'measure' | 'goal' | 'missedBecause'> & { readonly against: string },
  values: readonly number[],
  others: readonly number[],
): Row {
  const sums = pairSums(others);
  return { ...row, unit: '×', figure: figureOf(pairSums(values).map((sum, turn) => sum / (sums[turn] ?? Number.NaN))) };
}

/** Whether the goal of a row is met. What could not be measured meets none. */
export function isMet({ goal, figure: { value } }: Pick<Row, 'goal' | 'figure'>): boolean {
  const limit = Number(goal.slice(2));
  return goal.startsWith('≤') ? value <= limit : value >= limit;
}

/** Whether the row fails the run. */
export function fails(row: Row): boolean {
  return !isMet(row) && row.missedBecause === undefined;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

function figureOf(values: readonly number[]): Figure {
  const [value, low, high] = [quantile(values, 0.5), Math.min(...values), Math.max(...values)].map(rounded);
  return { value, low, high } as Figure;
}

function rounded(value: number): number {
  return value < 100 ? Number(value.toPrecision(3)) : Math.round(value);
}

function pairSums(values: readonly number[]): number[] {
  return values.flatMap((value, index) => (index % 2 === 0 ? [value + (values[index + 1] ?? Number.NaN)] : []));
}
