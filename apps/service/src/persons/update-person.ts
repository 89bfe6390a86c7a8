import type { PersonPatch } from '@hr/schemas';
import { patchedFields, type Grants } from '@hr/schemas/provider';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { bound, sql } from '../database/sql.ts';
import { wholePerson } from './person-list.ts';
import { auditedFields, lockPersons, renderPersons } from './person-view.ts';
import type { PersonGrants } from './visible-person.ts';

/**
 * Changes a person (section 4.1) and gives the whole person, or `undefined` where there is none. A client that may not
 * list persons gets of it only the fields that it sent.
 * What is sent covers what the feed said of the same property. Sending what is stored already changes no record. Sending
 * what the feed says already, also in another order, does not change the person.
 *
 * @param grants what the client sees of persons: it changes nothing else
 * @throws {HttpProblem} `forbidden`.
 */
export async function updatePerson(
  transaction: Queries,
  personId: string,
  patch: PersonPatch,
  grants: PersonGrants & Pick<Grants, 'operations'>,
): Promise<JsonAnswer | undefined> {
  const properties = Object.entries(patch).filter(([, value]) => value !== undefined);
  const changed = patchedFields(
    grants,
    properties.map(([property]) => property),
  );
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
  const rendering = { personIds: [personId], touched: changed };
  const [rendered] = stored.length > 0 ? await renderPersons(transaction, rendering) : [];
  const mayList = grants.operations?.includes('listPersons') ?? true;
  const fields = mayList ? grants.fields : changed;
  const [row] = await transaction.query<{ person: string }>(
    ...bound(
      sql`select ${wholePerson({ ...grants, fields })} as person from person_view where person_id = ${personId}`,
    ),
  );
  const subject = { fields: auditedFields(rendered?.fields ?? []) };
  return row && { json: row.person, elements: Math.min(stored.length, 1), subject };
}
