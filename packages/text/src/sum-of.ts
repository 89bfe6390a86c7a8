const MAX_DECIMALS = 10;

/** Adds numbers up. The sum of doubles has an error far behind the decimals that anybody wrote. */
export function sumOf(values: readonly number[]): number {
  const [only, ...others] = values;
  return others.length === 0
    ? (only ?? 0)
    : Number(values.reduce((sum, value) => sum + value, 0).toFixed(MAX_DECIMALS));
}
