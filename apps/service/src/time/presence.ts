import { isSince, type Since } from '../database/change-sets.ts';
import { raw, sql, type Sql } from '../database/sql.ts';

/** How a person's records of time appear and disappear with the person, in SQL. */
interface Presence {
  /**
   * An item of a FROM clause, of one row: `shown_since` is the change set in which the person appeared, or null; `gone_since`
   * the one in which the person was deleted or erased, or null.
   */
  readonly presence: Sql;
  /**
   * Whether a list of changes contains a record.
   *
   * @param change its change set
   * @param content its column that is null if it was deleted
   */
  readonly isListed: (change: Sql, content: Sql) => Sql;
}

/**
 * SQL for a list with one row for each person who has any records: a page of it reads those of its own persons alone.
 *
 * @param persons the persons, which are called `person`
 * @param records a query for the `records` of a person, or null
 * @param element the JSON text of these
 */
export function perPerson(persons: Sql, { records, element }: Readonly<Record<'records' | 'element', Sql>>): Sql {
  return sql`
    select person_id as key, ${element} as element
    from ${persons} as person cross join lateral (${records}) as listed (records) where records is not null`;
}

/**
 * The law of lists of changes for records that a list shows as long as it shows their person: what the list shows now and did
 * not show before, or no longer shows, is since then in the list of changes.
 *
 * @param person SQL for the id of the person
 */
export function presenceSince(since: Since, person: Sql): Presence {
  // Subqueries and no joins: a page of a list has to begin at a person. The offset keeps them from being run for each record.
  const presence = sql`(
    select (select first_change from person_view where person_view.person_id = ${person}) as shown_since,
      (select change from gone_person where gone_person.person_id = ${person}) as gone_since offset 0
  ) as presence`;
  const isGone = isSince(raw('gone_since'), since);
  const hasTurned = isSince(raw('coalesce(shown_since, gone_since)'), since);
  return {
    presence,
    isListed: (change, content) => sql`(shown_since is not null or ${isGone})
      and (${isSince(change, since)} or (${content} is not null and ${hasTurned}))`,
  };
}
