import type { Query } from '@hr/schemas';
import { deletedAbsence } from '@hr/schemas/rules';
import { isSince, type Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject, type JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import { raw, sql } from '../database/sql.ts';
import { presenceSince } from './presence.ts';

const { id: _id, personId: _personId, ...deleted } = deletedAbsence('', '');
const restOfDeleted = restOfObject(deleted);

/**
 * The absences of a person by start and id (section 4.6), as a JSON array; `undefined` where the person is
 * unknown. The filter is `matchesAbsenceFilter` of the shared rules, in SQL.
 *
 * @param since only the absences that changed, and all that were deleted: one by one, or with their person, who is known then
 */
export function listAbsences(
  queries: Queries,
  personId: string,
  { from, to }: Query<'listAbsences'>,
  since?: Since,
): Promise<JsonAnswer | undefined> {
  const isPerson = sql`person_id = ${personId}`;
  const isBegun = sql`start_date <= ${to ?? from ?? '9999-12-31'}`;
  const isMatch = from === undefined ? isBegun : sql`${isBegun} and (end_date is null or end_date >= ${from})`;
  const isShown = sql`select person_id from person_view where ${isPerson}`;
  if (!since) {
    return knownList(queries, {
      known: isShown,
      elements: sql`select (start_date, id) as key, absence as element from absence
        where ${isPerson} and absence is not null and ${isMatch}`,
    });
  }
  const { presence, isListed } = presenceSince(since, sql`${personId}`);
  const change = raw('change');
  return knownList(queries, {
    known: sql`${isShown} union all select person_id from gone_person where ${isPerson} and ${isSince(change, since)}`,
    elements: sql`
      select (case when is_deleted then '' else start_date end, id) as key, case
          when is_deleted then '{"id":' || to_json(id) || ',"personId":' || to_json(${personId}::text) || ${restOfDeleted}
          else absence end as element
      from (
        select id, start_date, end_date, absence, change, shown_since is null or absence is null as is_deleted
        from ${presence}, (
          select id, start_date, end_date, absence, change from absence where ${isPerson}
          union all select id, null, null, null, change from moved_absence where ${isPerson}
        ) as absence where ${isListed(change, raw('absence'))}
      ) as listed where is_deleted or (${isMatch})`,
  });
}
