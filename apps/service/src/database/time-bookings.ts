import { listQuery } from './list-query.ts';
import type { ListQuery } from './list-query.ts';
import { startOfDay } from './persons.ts';

interface TimeBookingFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly changedSince?: string | undefined;
  readonly timeZone: string;
}

/** The time bookings of all persons who have days in the period, by person and date (section 4.4). */
export function timeBookings({ from, to, changedSince, timeZone }: TimeBookingFilter): ListQuery {
  const conditions = [
    from === undefined ? listQuery`true` : listQuery`date >= ${from}`,
    to === undefined ? listQuery`true` : listQuery`date <= ${to}`,
    changedSince === undefined ? listQuery`true` : listQuery`changed_at >= ${startOfDay(changedSince, timeZone)}`,
  ] as const;
  // One person after the other: a page of the list reads the days of its own persons alone.
  return listQuery`
    select person_id as key, '{"personId":' || to_json(person_id) || ',"days":[' || days || ']}' as element
    from person_view cross join lateral (
      select string_agg(day, ',' order by date) as days from time_day
      where time_day.person_id = person_view.person_id and ${conditions[0]} and ${conditions[1]} and ${conditions[2]}
    ) as time_account
    where days is not null`;
}
