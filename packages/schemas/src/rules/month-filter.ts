/** The month `YYYY-MM` of a salary history entry. */
export function monthOf({ year, month }: { year: number; month: number }): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/** Whether a month is between the first and the last, both inclusive and optional (section 4.5). */
export function withinMonths(
  month: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): boolean {
  return (from === undefined || month >= from) && (to === undefined || month <= to);
}
