import type { Person } from '@hr/client';
import { addDays, includesDay } from '../model/calendar.ts';
import type { View } from './view.ts';
import { CLOSED_DAYS, gaps, lacksBookings, OPEN_END_DAYS, type Gap } from '../model/gaps.ts';

/** Returns a function that tells what a person lacks on a day, as far as the local copy knows. */
export function gapFinder(
  view: Pick<View, 'absences' | 'bookings' | 'may'>,
  today: string,
): (person: Person) => readonly Gap[] {
  const openEnds = new Set<string>();
  for (const { personId, startDate, endDate } of view.absences({ from: today })) {
    if (!endDate && startDate < addDays(today, -OPEN_END_DAYS)) openEnds.add(personId);
  }

  const closed = { from: addDays(today, -CLOSED_DAYS), to: addDays(today, -1) };
  const absences = Map.groupBy(view.absences(closed), ({ personId }) => personId);
  const withoutBookings = new Set<string>();
  for (const { personId, days } of view.bookings(closed)) {
    const isAway = (date: string): boolean =>
      (absences.get(personId) ?? []).some((absence) => includesDay(absence, date));
    if (days.some((day) => lacksBookings(day) && !isAway(day.date))) withoutBookings.add(personId);
  }

  const has: Readonly<Record<Gap, (person: Person) => boolean>> = {
    bankDetails: ({ id, bankDetails }) => view.may(id, 'pay') && !bankDetails?.iban,
    address: ({ address }) => !address,
    absenceEnd: ({ id }) => openEnds.has(id),
    bookings: ({ id }) => withoutBookings.has(id),
  };
  return (person) => (person.status === 'ACTIVE' ? gaps.filter((gap) => has[gap](person)) : []);
}
