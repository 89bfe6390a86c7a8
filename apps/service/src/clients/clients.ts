import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { datedChange } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { List } from '../database/list.ts';
import { raw, sql } from '../database/sql.ts';
import type { Scope } from '../http/grant.ts';
import type * as models from './client-operations.ts';
import { createCredentialKeys } from './credential-keys.ts';
import { secretHash, secretIsValid } from './secrets.ts';

/** A client's credentials, known only when they are made. */
export type ClientCredentials = z.output<typeof models.ClientCredentials> & { readonly clientSecret: string };

interface NewClient {
  readonly name: string;
  readonly scope: Scope;
  /** By default both are made up. A chosen secret has no checksum: every process keeps its hash in memory. */
  readonly clientId?: string;
  readonly clientSecret?: string;
}

const CLIENT_ID_BYTES = 9;

export async function createClient(queries: Queries, client: NewClient): Promise<ClientCredentials> {
  const clientId = client.clientId ?? newClientId();
  const { text: clientSecret, keyId } =
    client.clientSecret === undefined
      ? await createCredentialKeys(queries).issue({ kind: 'secret', clientId })
      : { text: client.clientSecret, keyId: null };
  await queries.query(
    `with client as (insert into api_client (client_id, name, scope) values ($1, $2, $3) returning client_id)
    insert into client_secret (client_id, secret_hash, key_id) select client_id, $4, $5 from client`,
    [clientId, client.name, client.scope, secretHash(clientSecret), keyId],
  );
  return { clientId, clientSecret, scope: client.scope };
}

/** Creates a client that gets keys. */
export async function createClientWithoutSecret(
  queries: Queries,
  { name, scope }: Pick<NewClient, 'name' | 'scope'>,
): Promise<Omit<ClientCredentials, 'clientSecret'>> {
  const clientId = newClientId();
  await queries.query('insert into api_client (client_id, name, scope) values ($1, $2, $3)', [clientId, name, scope]);
  return { clientId, scope };
}

function newClientId(): string {
  return `hr-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`;
}

/** A client that has this secret and is not disabled; `undefined` otherwise. */
export async function authenticateClient(
  queries: Queries,
  clientId: string,
  clientSecret: string,
): Promise<{ readonly scope: Scope } | undefined> {
  const [client] = await queries.query<{ scope: Scope }>(
    `select scope from api_client join client_secret using (client_id)
    where client_id = $1 and secret_hash = $2 and disabled_at is null and ${secretIsValid}`,
    [clientId, secretHash(clientSecret)],
  );
  return client;
}

/** Ends a client's tokens and gives it no new ones; `undefined` where it is unknown. */
export async function disableClient(transaction: Queries, clientId: string): Promise<ClientRecord | undefined> {
  await transaction.query(
    'update api_client set disabled_at = coalesce(disabled_at, clock_timestamp()) where client_id = $1',
    [clientId],
  );
  // A statement of its own: it sees the tokens whose issue the one before has waited for.
  await transaction.query('delete from access_token where client_id = $1', [clientId]);
  return clientRecord(transaction, clientId);
}

/** Lets a client get tokens again; `undefined` where it is unknown. */
export async function enableClient(queries: Queries, clientId: string): Promise<ClientRecord | undefined> {
  await queries.query('update api_client set disabled_at = null where client_id = $1', [clientId]);
  return clientRecord(queries, clientId);
}

/** Lets operators hear that a client changed. */
export async function noteClientChange(transaction: Queries): Promise<void> {
  await transaction.query(`with ${datedChange("array['clients']")} select from change`);
}

/** A client as operators see it: never a secret. */
export type ClientRecord = z.output<typeof models.Client>;

const recordJson = `json_strip_nulls(json_build_object('clientId', client_id, 'name', name, 'scope', scope,
  'createdAt', created_at, 'disabledAt', disabled_at, 'lastTokenAt', last_token_at,
  'operations', operations, 'systems', systems, 'fields', fields,
  'actsForPeople', nullif(acts_for_people, false),
  'secrets', (select coalesce(json_agg(json_build_object('createdAt', created_at, 'expiresAt', expires_at)
    order by expires_at nulls first), '[]') from client_secret
    where client_secret.client_id = api_client.client_id and ${secretIsValid}),
  'keys', (select json_agg(json_build_object('kid', kid, 'alg', alg, 'createdAt', created_at) order by created_at, kid)
    from client_key where client_key.client_id = api_client.client_id),
  'jwksUrl', jwks_url))::text`;

/** All clients, oldest first. */
export const clientList: List = [
  sql`select (to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US ') || client_id) collate "C" as key,
    ${raw(recordJson)} as element
  from api_client`,
];

export async function clientRecord(queries: Queries, clientId: string): Promise<ClientRecord | undefined> {
  const [row] = await queries.query<{ record: string }>(
    `select ${recordJson} as record from api_client where client_id = $1`,
    [clientId],
  );
  return row && (JSON.parse(row.record) as ClientRecord);
}
