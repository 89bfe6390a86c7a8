import { HttpProblem } from '@hr/schemas/provider';
import { dateGrants } from './client-grants.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { sql } from '../database/sql.ts';
import type { Scope } from '../http/grant.ts';
import type { Afterwards, Handlers } from '../http/route.ts';
import { evictClient } from './client-handlers.ts';
import { noteClientChange } from './clients.ts';
import type { customFieldOperations } from './custom-field-operations.ts';

/** Every client that sees any, by its id. */
const customFieldsOfClients: List = [
  sql`select client_id collate "C" as key,
    json_build_object('clientId', client_id, 'names', json_agg(name order by name))::text as element
  from client_custom_field group by client_id`,
];

/** What one client sees; `undefined` where it is unknown. */
async function customFieldsOfClient(queries: Queries, clientId: string): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ record: string }>(
    `select json_build_object('clientId', client_id, 'names', array(
      select name from client_custom_field where client_custom_field.client_id = api_client.client_id order by name
    ))::text as record from api_client where client_id = $1`,
    [clientId],
  );
  return row && oneRecord(row.record);
}

const changes = {
  allow: `insert into client_custom_field (client_id, name) select $1, name from unnest($2::text[]) as name
    on conflict do nothing returning name`,
  deny: 'delete from client_custom_field where client_id = $1 and name = any($2::text[]) returning name',
};

/**
 * Lets a client see custom fields of these names, or no longer; `undefined` if it is unknown.
 *
 * @throws {HttpProblem} `conflict` if the client does not use the API.
 */
export async function changeCustomFields(
  transaction: Queries,
  change: keyof typeof changes,
  { clientId, names }: { readonly clientId: string; readonly names: readonly string[] },
): Promise<JsonAnswer | undefined> {
  // One after the other changes a client.
  const [client] = await transaction.query<{ scope: Scope }>(
    'select scope from api_client where client_id = $1 for no key update',
    [clientId],
  );
  if (!client) return undefined;
  if (client.scope !== 'api:use') {
    throw new HttpProblem('conflict', 'This client reads no persons: only those of the scope api:use do.');
  }
  const changed = await transaction.query(changes[change], [clientId, names]);
  if (changed.length > 0) {
    await dateGrants(transaction, clientId);
    await noteClientChange(transaction);
  }
  const customFields = await customFieldsOfClient(transaction, clientId);
  return customFields && { ...customFields, elements: changed.length };
}

export const customFieldHandlers = {
  operatorListCustomFields: ({ database }) => database.list(customFieldsOfClients),
  operatorGetCustomFields: ({ database, path }) => customFieldsOfClient(database, path.clientId),
  operatorAllowCustomFields: ({ transaction, path, body }) =>
    changeCustomFields(transaction, 'allow', { ...path, ...body }),
  operatorDenyCustomFields: ({ transaction, path, body }) =>
    changeCustomFields(transaction, 'deny', { ...path, ...body }),
} satisfies Handlers<typeof customFieldOperations>;

export const afterCustomFieldChanges = {
  operatorAllowCustomFields: evictClient,
  operatorDenyCustomFields: evictClient,
} satisfies Afterwards<typeof customFieldOperations>;
