import { sumOf } from '@hr/text/sum-of';

/** The sums of payments that can be compared with those of a spreadsheet. A sum of factors or percentages means nothing. */
export const totalNames = ['amount', 'hours', 'days'] as const;
type TotalName = (typeof totalNames)[number];

/** How many payments there are, and their sums. A sum of nothing is missing. */
export interface Totals extends Partial<Readonly<Record<TotalName, number | undefined>>> {
  readonly payments: number;
}

export function totalsOf(payments: readonly Omit<Totals, 'payments'>[]): Totals {
  const sums = totalNames.flatMap((name) => {
    const values = payments.flatMap((payment) => payment[name] ?? []);
    return values.length === 0 ? [] : [[name, sumOf(values)] as const];
  });
  return { payments: payments.length, ...Object.fromEntries(sums) };
}
