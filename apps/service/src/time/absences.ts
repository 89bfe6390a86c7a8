import { deletedAbsence } from '@hr/schemas/rules';
import { isSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import { listQuery } from '../database/list-query.ts';
import { presenceSince } from './presence.ts';

interface AbsenceFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

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
  { from, to }: AbsenceFilter,
  since?: Since,
): Promise<JsonAnswer | undefined> {
  const values = [personId, from ?? null, to ?? null];
  const isMatch = `(start_date <= coalesce($3, $2, '9999-12-31') and ($2::text is null or end_date is null or end_date >= $2))`;
  const isShown = 'select person_id from person_view where person_id = $1';
  if (!since) {
    return knownList(queries, {
      known: isShown,
      elements: `select (start_date, id) as key, absence as element from absence where person_id = $1 and absence is not null and ${isMatch}`,
      values,
    });
  }
  const bound = { first: { text: '$5' }, except: { text: '$6' } };
  const { presence, isListed } = presenceSince(bound, listQuery`$1`);
  const change = listQuery`change`;
  return knownList(queries, {
    known: `${isShown} union all select person_id from gone_person where person_id = $1 and ${isSince(change, bound).text}`,
    elements: `
      select (case when is_deleted then '' else start_date end, id) as key,
        case when is_deleted then '{"id":' || to_json(id) || ',"personId":' || to_json($1::text) || $4 else absence end as element
      from (
        select id, start_date, end_date, absence, change, shown_since is null or absence is null as is_deleted
        from ${presence.text}, (
          select id, start_date, end_date, absence, change from absence where person_id = $1
          union all select id, null, null, null, change from moved_absence where person_id = $1
        ) as absence where ${isListed(change, listQuery`absence`).text}
      ) as listed where is_deleted or ${isMatch}`,
    values: [...values, restOfDeleted, since.first, since.except],
  });
}
