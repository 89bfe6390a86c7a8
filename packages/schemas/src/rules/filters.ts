import type { Absence } from '../generated/models.ts';
import type { Lenient } from '../operation-types.ts';

/**
 * The filter of the absences endpoint (section 4.6). Only `from`: absences on that day. Only `to`: absences that start
 * on or before it. Both: absences that overlap the window. An absence without an end continues.
 */
export function matchesAbsenceFilter(
  absence: Pick<Lenient<Absence>, 'startDate' | 'endDate'>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): boolean {
  const latestStart = to ?? from;
  // An absence without a start or an end may overlap the window, so it matches.
  const begins = !(latestStart !== undefined && absence.startDate > latestStart);
  const ends = !(from !== undefined && (absence.endDate ?? from) < from);
  return begins && ends;
}

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
