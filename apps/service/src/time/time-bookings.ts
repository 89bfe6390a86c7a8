import type { Query } from '@hr/schemas';
import { deletedTimeBookingDay } from '@hr/schemas/rules';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { perPerson, presenceSince } from './presence.ts';

const { date: _date, ...deleted } = deletedTimeBookingDay('');
const restOfDeleted = restOfObject(deleted);

/**
 * The time bookings of all persons who have days in the period, by person and date (section 4.4).
 *
 * @param since only the days that changed, and those that were deleted: one by one, or with their person
 */
export function timeBookings({ from, to }: Query<'listTimeBookings'>, since?: Since): List {
  const isBegun = from === undefined ? raw('true') : sql`date >= ${from}`;
  const period = to === undefined ? isBegun : sql`${isBegun} and date <= ${to}`;
  if (!since) {
    const days = sql`time_day where ${period} and day is not null`;
    return [ofPersons({ persons: raw('person_view'), day: raw('day'), days })];
  }
  const { presence, isListed } = presenceSince(since, raw('person.person_id'));
  const deletedDay = sql`'{"date":' || to_json(date) || ${restOfDeleted}`;
  const changed = ofPersons({
    persons: raw('time_account'),
    day: sql`coalesce(case when shown_since is null then null else day end, ${deletedDay})`,
    days: sql`${presence}, time_day where ${period} and ${isListed(raw('time_day.change'), raw('day'))}`,
  });
  return [sql`${changed} and change >= ${since.first}::bigint`];
}

function ofPersons({ persons, day, days }: Readonly<Record<'persons' | 'day' | 'days', Sql>>): Sql {
  return perPerson(persons, {
    records: sql`select string_agg(${day}, ',' order by date) from ${days} and time_day.person_id = person.person_id`,
    element: sql`'{"personId":' || to_json(person_id) || ',"days":[' || records || ']}'`,
  });
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
