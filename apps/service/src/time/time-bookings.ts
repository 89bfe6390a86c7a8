import { deletedTimeBookingDay } from '@hr/schemas/rules';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject } from '../database/json-answer.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';
import { presenceSince } from './presence.ts';

interface TimeBookingFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const { date: _date, ...deleted } = deletedTimeBookingDay('');
const restOfDeleted = restOfObject(deleted);

/**
 * The time bookings of all persons who have days in the period, by person and date (section 4.4).
 *
 * @param since only the days that changed, and those that were deleted: one by one, or with their person
 */
export function listTimeBookings({ from, to }: TimeBookingFilter, since?: Since): ListQuery {
  const period = listQuery`${from === undefined ? listQuery`true` : listQuery`date >= ${from}`}
    and ${to === undefined ? listQuery`true` : listQuery`date <= ${to}`}`;
  if (!since) {
    return listQuery`${ofPersons(listQuery`person_view`, listQuery`day`, listQuery`time_day`, listQuery`${period} and day is not null`)}`;
  }
  const deletedDay = listQuery`'{"date":' || to_json(date) || ${restOfDeleted}`;
  const day = listQuery`case when shown_since is null then null else day end`;
  const { presence, isListed } = presenceSince(since, listQuery`person.person_id`);
  return listQuery`${ofPersons(
    listQuery`time_account`,
    listQuery`coalesce(${day}, ${deletedDay})`,
    listQuery`${presence}, time_day`,
    listQuery`${period} and ${isListed(listQuery`time_day.change`, listQuery`day`)}`,
  )} and change >= ${since.first}::bigint`;
}

/** One person after the other: a page of the list reads the days of its own persons alone. */
function ofPersons(table: ListQuery, day: ListQuery, days: ListQuery, condition: ListQuery): ListQuery {
  return listQuery`
    select person_id as key, '{"personId":' || to_json(person_id) || ',"days":[' || days || ']}' as element
    from ${table} as person cross join lateral (
      select string_agg(${day}, ',' order by date) as days from ${days}
      where time_day.person_id = person.person_id and ${condition}
    ) as listed
    where days is not null`;
}

/** Notes in the time accounts of persons that their days have changed. */
export async function dateTimeAccounts(
  transaction: Queries,
  personIds: readonly string[],
  change: string,
): Promise<void> {
  await transaction.query(
    `insert into time_account (person_id, change) select person_id, $2::bigint from unnest($1::text[]) as person_id
      on conflict (person_id) do update set change = excluded.change`,
    [personIds, change],
  );
}
