import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queries } from './database.ts';
import { secretHash } from './secret-hash.ts';

/** The scopes a client can have: the API's own (section 5), or the operator's. */
export const scopes = ['api:use', 'operator'] as const;
export type Scope = (typeof scopes)[number];

/** A client's credentials; the secret is known only when it is made. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: Scope;
}

interface NewClient {
  readonly name: string;
  readonly scope: Scope;
  /** By default both are made up. */
  readonly clientId?: string;
  readonly clientSecret?: string;
}

const SECRET_BYTES = 32;
const CLIENT_ID_BYTES = 9;

/** Makes a client. */
export async function createClient(queries: Queries, client: NewClient): Promise<ClientCredentials> {
  const clientId = client.clientId ?? `hr-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`;
  const clientSecret = client.clientSecret ?? randomBytes(SECRET_BYTES).toString('base64url');
  await queries.query(
    `with client as (insert into api_client (client_id, name, scope) values ($1, $2, $3) returning client_id)
    insert into client_secret (client_id, secret_hash) select client_id, $4 from client`,
    [clientId, client.name, client.scope, secretHash(clientSecret)],
  );
  return { clientId, clientSecret, scope: client.scope };
}

/** The scope of the client with these credentials; `undefined` where they are wrong. */
export async function authenticateClient(
  queries: Queries,
  clientId: string,
  clientSecret: string,
): Promise<Scope | undefined> {
  const rows = await queries.query<{ scope: Scope; secretHash: Uint8Array }>(
    `select scope, secret_hash as "secretHash" from api_client join client_secret using (client_id) where client_id = $1`,
    [clientId],
  );
  const hash = secretHash(clientSecret);
  return rows.find((row) => timingSafeEqual(row.secretHash, hash))?.scope;
}
