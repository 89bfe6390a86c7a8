import type { Query } from '@hr/schemas';
import { deletedAbsence } from '@hr/schemas/rules';
import { isSince, type Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject, type JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { perPerson, presenceSince } from './presence.ts';

const { id: _id, personId: _personId, ...deleted } = deletedAbsence('', '');
const restOfDeleted = restOfObject(deleted);

type Period = Pick<Query<'listAbsences'>, 'from' | 'to'>;

/**
 * The absences of a person by start and id (section 4.6), as a JSON array; `undefined` where the person is unknown.
 *
 * @param since only the absences that changed, and all that were deleted: one by one, or with their person, who is known then
 */
export function listAbsences(
  queries: Queries,
  personId: string,
  period: Period,
  since?: Since,
): Promise<JsonAnswer | undefined> {
  const person = sql`${personId}::text`;
  const isShown = sql`select person_id from person_view where person_id = ${person}`;
  const isGone =
    since && sql`select person_id from gone_person where person_id = ${person} and ${isSince(raw('change'), since)}`;
  return knownList(queries, {
    known: isGone ? sql`${isShown} union all ${isGone}` : isShown,
    elements: absencesOf(person, period, since),
  });
}

/** The absences of all persons, in the order of the persons. */
export function allAbsences(period: Period, since?: Since): List {
  const absences = absencesOf(raw('person.person_id'), period, since);
  const list = perPerson(raw(since ? 'time_account' : 'person_view'), {
    records: sql`select string_agg(element, E',\\n' order by key) from (${absences}) as absences`,
    element: raw('records'),
  });
  return [since ? sql`${list} and change >= ${since.first}::bigint` : list];
}

/**
 * SQL for the absences of a person as `key`, by start and id, and `element`. The filter is `matchesAbsenceFilter` of the
 * shared rules, in SQL.
 */
function absencesOf(person: Sql, { from, to }: Period, since?: Since): Sql {
  const isBegun = sql`start_date <= ${to ?? from ?? '9999-12-31'}`;
  const isMatch = from === undefined ? isBegun : sql`${isBegun} and (end_date is null or end_date >= ${from})`;
  if (!since) {
    return sql`select (start_date, id) as key, absence as element from absence
      where absence.person_id = ${person} and absence is not null and ${isMatch}`;
  }
  const { presence, isListed } = presenceSince(since, person);
  return sql`
    select (case when is_deleted then '' else start_date end, id) as key, case
        when is_deleted then '{"id":' || to_json(id) || ',"personId":' || to_json(${person}) || ${restOfDeleted}
        else absence end as element
    from (
      select id, start_date, end_date, absence, change, shown_since is null or absence is null as is_deleted
      from ${presence}, (
        select id, start_date, end_date, absence, change from absence where absence.person_id = ${person}
        union all select id, null, null, null, change from moved_absence where moved_absence.person_id = ${person}
      ) as absence where ${isListed(raw('change'), raw('absence'))}
    ) as listed where is_deleted or (${isMatch})`;
}
