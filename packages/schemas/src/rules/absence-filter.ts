import type { Absence } from '../absence.ts';
import type { Received } from '../received.ts';

type Span = Pick<Received<Absence>, 'startDate' | 'endDate'>;

/**
 * The filter of the absences endpoint (section 4.6). `from` alone: absences running on that day. `to` alone: those that
 * start on or before it. Both: those that touch the window. An absence without end goes on.
 */
export function matchesAbsenceFilter(
  absence: Span,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): boolean {
  const latestStart = to ?? from;
  if (latestStart !== undefined && absence.startDate > latestStart) return false;
  return from === undefined || endsOnOrAfter(absence, from);
}

/** Whether an absence touches the days from `from` to `to`, both inclusive. */
export function absenceOverlaps(absence: Span, { from, to }: { from: string; to: string }): boolean {
  return absence.startDate <= to && endsOnOrAfter(absence, from);
}

function endsOnOrAfter({ endDate }: Span, date: string): boolean {
  return endDate === undefined || endDate === null || endDate >= date;
}
