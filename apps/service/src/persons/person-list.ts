import type { PersonDelta } from '@hr/schemas';
import { isVisible } from '@hr/schemas/provider';
import { deletedPerson, erasedPerson, fieldsOf, systems } from '@hr/schemas/rules';
import { belongsTo, isSince, type Since } from '../database/change-sets.ts';
import { restOfObject } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { joined, raw, sql, type Sql } from '../database/sql.ts';
import { customFieldsMember, firstChangeIsSince, visibleParts, type PersonGrants } from './visible-person.ts';

/** SQL for what a client sees of a row of `person_view`. */
export function wholePerson(grants: PersonGrants): Sql {
  const fragments = visibleParts(grants).map(({ present }) => sql`|| ${present} `);
  // In parentheses the end is a constant where there are no custom fields.
  return sql`head ${joined(fragments)} || (${customFieldsMember(grants)} || '}')`;
}

/**
 * The persons by id (section 4.2).
 *
 * @param grants what the client sees of them
 * @param since only the persons who changed, with the fragments of the systems that changed, and those who were deleted or erased
 */
export function personList(grants: PersonGrants, since?: Since): List {
  if (!since) return [sql`select person_id as key, ${wholePerson(grants)} as element from person_view`];
  return [seesOtherFields(grants, since) ? regranted(grants) : changed(grants, since), gone(grants, since)];
}

function seesOtherFields({ grantsChange }: PersonGrants, since: Since): boolean {
  return grantsChange !== null && grantsChange !== undefined && belongsTo(grantsChange, since);
}

/** Everybody, with every field of the model: those that the client no longer sees are cleared. */
function regranted(grants: PersonGrants): Sql {
  const fragments = visibleParts(grants).map(({ complete }) => sql`|| ${complete} `);
  const hidden = systems.flatMap(fieldsOf).filter((field) => !isVisible(grants, field));
  const cleared = hidden.length === 0 ? '}' : restOfObject(Object.fromEntries(hidden.map((field) => [field, null])));
  return sql`select person_id as key, head ${joined(fragments)} || ${cleared} as element from person_view`;
}

function changed(grants: PersonGrants, since: Since): Sql {
  const parts = visibleParts(grants).map(({ complete, changedSince }) => ({ complete, changed: changedSince(since) }));
  const fragments = parts.map((part) => sql`|| case when ${part.changed} then ${part.complete} else '' end `);
  return sql`
    select person_id as key, head ${joined(fragments)} || '}' as element
    from person_view
    where greatest(master_change, payroll_change, time_change, custom_change) >= ${since.first}::bigint
      and (${joined([...parts.map((part) => part.changed), firstChangeIsSince(since)], ' or ')})`;
}

function gone(grants: PersonGrants, since: Since): Sql {
  const rest = ({ id: _id, ...members }: PersonDelta): string => {
    const visible = Object.entries(members).filter(([name, value]) => value === true || isVisible(grants, name));
    return restOfObject(Object.fromEntries(visible));
  };
  return sql`
    select person_id as key, '{"id":' || to_json(person_id)
      || case when is_erased then ${rest(erasedPerson(''))} else ${rest(deletedPerson(''))} end as element
    from gone_person where ${isSince(raw('change'), since)}`;
}
