import { dateGrants } from './client-grants.ts';
import type { Scope } from './clients.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { oneRecord } from '../database/json-answer.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';

/** Every client that sees any, by its id. */
export const customFieldsOfClients: ListQuery = listQuery`
  select client_id collate "C" as key,
    json_build_object('clientId', client_id, 'names', json_agg(name order by name))::text as element
  from client_custom_field group by client_id`;

/** What one client sees; `undefined` where it is unknown. */
export async function customFieldsOfClient(queries: Queries, clientId: string): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ record: string }>(
    `select json_build_object('clientId', client_id, 'names', array(
      select name from client_custom_field where client_custom_field.client_id = api_client.client_id order by name
    ))::text as record from api_client where client_id = $1`,
    [clientId],
  );
  return row && oneRecord(row.record);
}

/** What became of a change: what the client sees now, or why nothing changed. */
export type CustomFieldsOutcome =
  | { readonly outcome: 'done'; readonly customFields: JsonAnswer | undefined }
  | { readonly outcome: 'reads-no-persons' };

const changes = {
  allow: `insert into client_custom_field (client_id, name) select $1, name from unnest($2::text[]) as name
    on conflict do nothing returning name`,
  deny: 'delete from client_custom_field where client_id = $1 and name = any($2::text[]) returning name',
};

/** Lets a client see custom fields of these names, or no longer. */
export async function changeCustomFields(
  transaction: Queries,
  change: keyof typeof changes,
  { clientId, names }: { readonly clientId: string; readonly names: readonly string[] },
): Promise<CustomFieldsOutcome> {
  // One after the other changes a client.
  const [client] = await transaction.query<{ scope: Scope }>(
    'select scope from api_client where client_id = $1 for no key update',
    [clientId],
  );
  if (!client) return { outcome: 'done', customFields: undefined };
  if (client.scope !== 'api:use') return { outcome: 'reads-no-persons' };
  const changed = await transaction.query(changes[change], [clientId, names]);
  if (changed.length > 0) await dateGrants(transaction, clientId);
  const customFields = await customFieldsOfClient(transaction, clientId);
  return { outcome: 'done', customFields: customFields && { ...customFields, elements: changed.length } };
}
