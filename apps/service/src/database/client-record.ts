import type { Scope } from './clients.ts';
import type { Queries } from './database.ts';
import { listQuery } from './list-query.ts';
import type { ListQuery } from './list-query.ts';

/** A client as operators see it: never a secret. Moments are ISO 8601. */
export interface ClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: string;
  /** Where it is disabled, since when. */
  readonly disabledAt?: string;
  /** When it last got an access token. */
  readonly lastTokenAt?: string;
  /** Those that are valid now, the current one first; the one before it tells when it ends. */
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt?: string }[];
}

const recordJson = `json_strip_nulls(json_build_object('clientId', client_id, 'name', name, 'scope', scope,
  'createdAt', created_at, 'disabledAt', disabled_at, 'lastTokenAt', last_token_at,
  'secrets', (select json_agg(json_build_object('createdAt', created_at, 'expiresAt', expires_at)
    order by expires_at nulls first) from client_secret
    where client_secret.client_id = api_client.client_id and (expires_at is null or expires_at > now()))))::text`;

/** All clients, oldest first. */
export const clientRecords: ListQuery = listQuery`
  select (to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US ') || client_id) collate "C" as key,
    ${{ text: recordJson }} as element
  from api_client`;

export async function clientRecord(queries: Queries, clientId: string): Promise<ClientRecord | undefined> {
  const [row] = await queries.query<{ record: string }>(
    `select ${recordJson} as record from api_client where client_id = $1`,
    [clientId],
  );
  return row && (JSON.parse(row.record) as ClientRecord);
}
