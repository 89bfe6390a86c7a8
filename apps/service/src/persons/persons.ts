import type { PersonDelta, PersonPatch } from '@hr/schemas';
import { deletedPerson, erasedPerson } from '@hr/schemas/rules';
import { isSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, restOfObject } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';
import { limitLockWaits, lockPersons, renderPersons } from './person-view.ts';

/** The member with those custom fields that have one of these names. */
function customFieldsMember(names: readonly string[]): ListQuery {
  if (names.length === 0) return listQuery`',"customFields":[]'`;
  return listQuery`',"customFields":[' || coalesce((
      select string_agg(field, ',' order by place)
      from unnest(custom_names, custom_json) with ordinality as custom (name, field, place) where name = any(${names})
    ), '') || ']'`;
}

function whole(customFields: readonly string[]): ListQuery {
  // In parentheses the end is a constant where there are none.
  return listQuery`head || master || payroll || time || (${customFieldsMember(customFields)} || '}')`;
}

/**
 * The persons by id (section 4.2).
 *
 * @param customFields the names of the custom fields to show
 * @param since only the persons who changed, with the fragments of the systems that changed, and those who were deleted or erased
 */
export function listPersons(customFields: readonly string[], since?: Since): ListQuery {
  if (!since) return listQuery`select person_id as key, ${whole(customFields)} as element from person_view`;
  const [master, payroll, time, any] = [
    isSince(listQuery`master_change`, since),
    isSince(listQuery`payroll_change`, since),
    isSince(listQuery`time_change`, since),
    listQuery`greatest(master_change, payroll_change, time_change) >= ${since.first}::bigint`,
  ];
  const changed = listQuery`
    select person_id as key, head
      || case when ${master} then master || master_absent || ${customFieldsMember(customFields)} else '' end
      || case when ${payroll} then payroll || payroll_absent else '' end
      || case when ${time} then time || time_absent else '' end
      || '}' as element
    from person_view where ${any} and (${master} or ${payroll} or ${time})`;
  const gone = (table: ListQuery, { id: _id, ...fields }: PersonDelta): ListQuery => listQuery`
    select person_id as key, '{"id":' || to_json(person_id) || ${restOfObject(fields)} as element
    from ${table} where ${isSince(listQuery`change`, since)}`;
  return {
    ...changed,
    among: [gone(listQuery`deleted_person`, deletedPerson('')), gone(listQuery`tombstone`, erasedPerson(''))],
  };
}

/**
 * Changes a person (section 4.1) and gives the whole person, or `undefined` where there is none.
 * What is sent covers what the feed said of the same property; what is stored already changes no record, and what the feed
 * says already, be it in another order, changes nobody.
 */
export async function updatePerson(
  transaction: Queries,
  personId: string,
  patch: PersonPatch,
  customFields: readonly string[],
): Promise<JsonAnswer | undefined> {
  await limitLockWaits(transaction);
  const [known] = await lockPersons(transaction, [personId]);
  if (known === undefined) return undefined;
  const properties = Object.entries(patch).filter(([, value]) => value !== undefined);
  const stored = await transaction.query(
    `insert into person_patch as patch (person_id, property, document, feed_content)
      select $1, property, case when fed::jsonb = document::jsonb then fed else document end, content
      from unnest($2::text[], $3::text[]) as sent (property, document)
      left join (
        select property, content, case property when 'addresses' then '[' || content || ']' else content end as fed
        from feed_property where person_id = $1
      ) as feed using (property)
      on conflict (person_id, property) do update set document = excluded.document
        where patch.document::jsonb <> excluded.document::jsonb
      returning property`,
    [personId, properties.map(([property]) => property), properties.map(([, value]) => JSON.stringify(value))],
  );
  if (stored.length > 0) await renderPersons(transaction, { personIds: [personId] });
  const person = await wholePerson(transaction, personId, customFields);
  return person && { ...person, elements: Math.min(stored.length, 1) };
}

async function wholePerson(
  queries: Queries,
  personId: string,
  customFields: readonly string[],
): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ person: string }>(
    `select ${whole(customFields).text} as person from person_view where person_id = $1`,
    [personId],
  );
  return row && oneRecord(row.person);
}
