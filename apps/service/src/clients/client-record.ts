import type { z } from 'zod';
import type { Client } from '../operator/operator-models.ts';
import type { Queries } from '../database/database.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';

/** A client as operators see it: never a secret. */
export type ClientRecord = z.output<typeof Client>;

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
