import type { Absence } from '../absence.ts';
import type { Lenient } from '../lenient.ts';

/**
 * The filter of the absences endpoint (section 4.6). `from` alone: absences running on that day. `to` alone: those that
 * start on or before it. Both: those that touch the window. An absence without end goes on.
 */
export function matchesAbsenceFilter(
  absence: Pick<Lenient<Absence>, 'startDate' | 'endDate'>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): boolean {
  const latestStart = to ?? from;
  // A start or an end that is missing keeps nothing out: what may touch the window is better shown than dropped.
  const begins = !(latestStart !== undefined && absence.startDate > latestStart);
  const ends = !(from !== undefined && (absence.endDate ?? from) < from);
  return begins && ends;
}
