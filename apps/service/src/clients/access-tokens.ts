import type { ClientGrants } from './client-grants.ts';
import type { Scope } from './clients.ts';
import type { Queries } from '../database/database.ts';
import { randomSecret, secretHash } from './secrets.ts';

/** What an access token proves. */
export interface TokenGrant extends ClientGrants {
  readonly clientId: string;
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The names of the custom fields of persons that the client sees. */
  readonly customFields: readonly string[];
}

/**
 * Issues an opaque access token; only its hash is kept. The client's expired ones are forgotten. `undefined` where the
 * client was disabled after it had shown its secret.
 */
export async function issueToken(
  queries: Queries,
  { clientId, scope, lifetimeSeconds }: { clientId: string; scope: Scope; lifetimeSeconds: number },
): Promise<string | undefined> {
  const token = randomSecret();
  // The update waits for whoever disables the client just now, and he for it.
  const [issued] = await queries.query(
    `with client as (
      update api_client set last_token_at = now() where client_id = $2 and disabled_at is null returning client_id
    ), forgotten as (
      delete from access_token using client where access_token.client_id = client.client_id and expires_at < now()
    )
    insert into access_token (token_hash, client_id, scope, expires_at)
    select $1, client_id, $3, now() + make_interval(secs => $4) from client returning client_id`,
    [secretHash(token), clientId, scope, lifetimeSeconds],
  );
  return issued === undefined ? undefined : token;
}

/** An access token that is valid. */
export interface IssuedToken extends TokenGrant {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
}

/** What a token proves; `undefined` where it is unknown, has expired or was revoked, or its client is disabled. */
export async function findToken(queries: Queries, token: string): Promise<IssuedToken | undefined> {
  const [row] = await queries.query<
    Omit<IssuedToken, 'expiresAt' | 'issuedAt'> & { expiresAt: string; issuedAt: string }
  >(
    `select client_id as "clientId", access_token.scope, extract(epoch from expires_at)::text as "expiresAt",
      extract(epoch from issued_at)::text as "issuedAt", operations, systems, fields,
      array(select name from client_custom_field where client_custom_field.client_id = api_client.client_id) as "customFields"
    from access_token join api_client using (client_id)
    where token_hash = $1 and expires_at > now() and disabled_at is null`,
    [secretHash(token)],
  );
  return row && { ...row, expiresAt: Number(row.expiresAt) * 1000, issuedAt: Number(row.issuedAt) * 1000 };
}

/** Ends a token of a client, if it is valid. `false` where it is another client's, which keeps it. */
export async function revokeToken(queries: Queries, clientId: string, token: string): Promise<boolean> {
  const [other] = await queries.query(
    `with revoked as (delete from access_token where token_hash = $1 and client_id = $2)
    select from access_token where token_hash = $1 and client_id <> $2 and expires_at > now()`,
    [secretHash(token), clientId],
  );
  return other === undefined;
}
