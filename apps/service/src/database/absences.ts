import type { Queries } from './database.ts';
import type { JsonAnswer } from './json-answer.ts';
import { knownList } from './known-list.ts';

interface AbsenceFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly changedSince?: string | undefined;
  readonly timeZone: string;
}

/**
 * The absences of a person by start and id (section 4.6), as a JSON array; `undefined` where the person is
 * unknown. The filter is `matchesAbsenceFilter` of the shared rules, in SQL.
 */
export function personAbsences(
  queries: Queries,
  personId: string,
  { from, to, changedSince, timeZone }: AbsenceFilter,
): Promise<JsonAnswer | undefined> {
  return knownList(queries, {
    known: 'select person_id from person_view where person_id = $1',
    elements: `
      select start_date || id as key, absence as element from absence
      where person_id = $1
        and start_date <= coalesce($3, $2, '9999-12-31')
        and ($2::text is null or end_date is null or end_date >= $2)
        and ($4::text is null or changed_at >= $4::timestamp at time zone $5)`,
    values: [personId, from ?? null, to ?? null, changedSince ?? null, timeZone],
  });
}
