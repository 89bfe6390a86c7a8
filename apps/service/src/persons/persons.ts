import type { PersonDelta, PersonPatch } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import { deletedPerson, erasedPerson, fieldsOf, ownerOf, systems } from '@hr/schemas/rules';
import type { ClientGrants } from '../clients/client-grants.ts';
import { belongsTo, isSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, restOfObject } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';
import { lockPersons, renderPersons } from './person-view.ts';
import { customFieldsMember, firstChangeIsSince, isVisible, visibleParts } from './visible-person.ts';
import type { PersonGrants } from './visible-person.ts';

function whole(grants: PersonGrants): ListQuery {
  const fragments = visibleParts(grants).map(({ present }) => listQuery`|| ${present} `);
  // In parentheses the end is a constant where there are no custom fields.
  return listQuery`head ${joined(fragments)} || (${customFieldsMember(grants)} || '}')`;
}

function joined(queries: readonly ListQuery[], separator = ''): ListQuery {
  return { text: queries.map(({ text }) => text).join(separator) };
}

/**
 * The persons by id (section 4.2).
 *
 * @param grants what the client sees of them
 * @param since only the persons who changed, with the fragments of the systems that changed, and those who were deleted or erased
 */
export function listPersons(grants: PersonGrants, since?: Since): ListQuery {
  if (!since) return listQuery`select person_id as key, ${whole(grants)} as element from person_view`;
  return {
    ...(seesOtherFields(grants, since) ? regranted(grants) : changed(grants, since)),
    among: [gone(grants, since)],
  };
}

function seesOtherFields({ grantsChange }: PersonGrants, since: Since): boolean {
  return grantsChange !== null && grantsChange !== undefined && belongsTo(grantsChange, since);
}

/** Everybody, with every field of the model: those that the client no longer sees are cleared. */
function regranted(grants: PersonGrants): ListQuery {
  const fragments = visibleParts(grants).map(({ complete }) => listQuery`|| ${complete} `);
  const hidden = systems.flatMap(fieldsOf).filter((field) => !isVisible(grants, field));
  const cleared = hidden.length === 0 ? '}' : restOfObject(Object.fromEntries(hidden.map((field) => [field, null])));
  return listQuery`select person_id as key, head ${joined(fragments)} || ${cleared} as element from person_view`;
}

function changed(grants: PersonGrants, since: Since): ListQuery {
  const parts = visibleParts(grants).map(({ complete, changedSince }) => ({ complete, changed: changedSince(since) }));
  const fragments = parts.map((part) => listQuery`|| case when ${part.changed} then ${part.complete} else '' end `);
  return listQuery`
    select person_id as key, head ${joined(fragments)} || '}' as element
    from person_view
    where greatest(master_change, payroll_change, time_change, custom_change) >= ${since.first}::bigint
      and (${joined([...parts.map((part) => part.changed), firstChangeIsSince(since)], ' or ')})`;
}

function gone(grants: PersonGrants, since: Since): ListQuery {
  const rest = ({ id: _id, ...members }: PersonDelta): string => {
    const visible = Object.entries(members).filter(([name, value]) => value === true || isVisible(grants, name));
    return restOfObject(Object.fromEntries(visible));
  };
  return listQuery`
    select person_id as key, '{"id":' || to_json(person_id)
      || case when is_erased then ${rest(erasedPerson(''))} else ${rest(deletedPerson(''))} end as element
    from gone_person where ${isSince(listQuery`change`, since)}`;
}

/**
 * Changes a person (section 4.1) and gives the whole person, or `undefined` where there is none. A client that may not
 * list persons gets of it only the fields that it sent.
 * What is sent covers what the feed said of the same property; what is stored already changes no record, and what the feed
 * says already, be it in another order, changes nobody.
 *
 * @param grants what the client sees of persons: it changes nothing else
 * @throws {HttpProblem} `forbidden`.
 */
export async function updatePerson(
  transaction: Queries,
  personId: string,
  patch: PersonPatch,
  grants: PersonGrants & Pick<ClientGrants, 'operations'>,
): Promise<JsonAnswer | undefined> {
  const properties = Object.entries(patch).filter(([, value]) => value !== undefined);
  for (const [property] of properties) checkProperty(property, grants);
  const [known] = await lockPersons(transaction, [personId]);
  if (known === undefined) return undefined;
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
  const mayList = grants.operations?.includes('listPersons') ?? true;
  const fields = mayList ? grants.fields : properties.map(([property]) => fieldOf(property));
  const person = await wholePerson(transaction, personId, { ...grants, fields });
  return person && { ...person, elements: Math.min(stored.length, 1) };
}

function checkProperty(property: string, grants: PersonGrants): void {
  const field = fieldOf(property);
  if (isVisible(grants, field)) return;
  throw new HttpProblem(
    'forbidden',
    `/${property} changes the field ${field}, which this client may not see. Leave it out, or ask the operator to grant the field and the system ${ownerOf(field)}.`,
  );
}

/** The field of a person that a property of a patch changes. */
function fieldOf(property: string): string {
  return property === 'addresses' ? 'address' : property;
}

async function wholePerson(queries: Queries, personId: string, grants: PersonGrants): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ person: string }>(
    `select ${whole(grants).text} as person from person_view where person_id = $1`,
    [personId],
  );
  return row && oneRecord(row.person);
}
