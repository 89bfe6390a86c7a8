import { deletedAbsence } from '@hr/schemas/rules';
import { isSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { restOfObject } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import { listQuery } from '../database/list-query.ts';

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
 * @param since only the absences that changed, and all that were deleted
 */
export function listAbsences(
  queries: Queries,
  personId: string,
  { from, to }: AbsenceFilter,
  since?: Since,
): Promise<JsonAnswer | undefined> {
  const isListed = since ? isSince(listQuery`change`, since) : listQuery`absence is not null`;
  const deletedElement = `'{"id":' || to_json(id) || ',"personId":' || to_json(person_id) || $4`;
  const moved = since
    ? `union all select (''::text collate "C", id) as key, ${deletedElement} as element from moved_absence where person_id = $1 and ${isListed.text}`
    : '';
  return knownList(queries, {
    known: 'select person_id from person_view where person_id = $1',
    elements: `
      select (coalesce(start_date, ''), id) as key, coalesce(absence, ${deletedElement}) as element
      from absence
      where person_id = $1 and ${isListed.text} and (absence is null
        or (start_date <= coalesce($3, $2, '9999-12-31') and ($2::text is null or end_date is null or end_date >= $2)))
      ${moved}`,
    values: [personId, from ?? null, to ?? null, restOfDeleted],
  });
}
