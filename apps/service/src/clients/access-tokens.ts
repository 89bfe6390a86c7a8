import { visibleGrants } from './client-grants.ts';
import { auditedChange } from '../audit/audit-events.ts';
import { uuidV7 } from '../audit/uuid-v7.ts';
import type { Queries } from '../database/database.ts';
import type { Scope, TokenGrant } from '../http/grant.ts';
import { createCredentialKeys } from './credential-keys.ts';
import { secretHash, secretIsValid } from './secrets.ts';

/** By what a client has proved who it is: a secret, or a key. */
export interface Proof {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly keyThumbprint?: string;
}

interface NewToken extends Proof {
  readonly scope: Scope;
  readonly lifetimeSeconds: number;
  /** Of the request for it, for the audit. */
  readonly requestId: string;
}

/** SQL for what a token ends with. */
const proofs = {
  secret: { table: 'client_secret', column: 'secret_hash', expiresAt: 'expires_at', isValid: secretIsValid },
  key: { table: 'client_key', column: 'key_thumbprint', expiresAt: 'null', isValid: 'true' },
};

/**
 * Issues an opaque access token, audits that and stores only the token's hash. Deletes the expired tokens of the client. `undefined` if the
 * secret or key is no longer valid, or the client is disabled.
 */
export async function issueToken(
  queries: Queries,
  { clientId, clientSecret = '', keyThumbprint, scope, lifetimeSeconds, requestId }: NewToken,
  credentialKeys = createCredentialKeys(queries),
): Promise<{ readonly token: string; readonly expiresIn: number } | undefined> {
  const { text: token } = await credentialKeys.issue({ kind: 'token' });
  const [proof, value] =
    keyThumbprint === undefined
      ? ([proofs.secret, secretHash(clientSecret)] as const)
      : ([proofs.key, keyThumbprint] as const);
  // The locks make this statement wait for a transaction that disables the client or changes its secrets or keys, and
  // check what that has left. Such a transaction locks the client first, too, so there is no deadlock.
  const [issued] = await queries.query<{ expiresIn: number }>(
    `with proof as (
      select client_id, ${proof.column}, least(now() + make_interval(secs => $5), ${proof.expiresAt}) as token_expires_at
      from api_client join ${proof.table} using (client_id)
      where client_id = $2 and ${proof.column} = $3 and disabled_at is null and ${proof.isValid}
      for no key update of api_client for key share of ${proof.table}
    ), client as (
      update api_client set last_token_at = now() from proof where api_client.client_id = proof.client_id
    ), expired as (
      delete from access_token using proof where access_token.client_id = proof.client_id and expires_at < now()
    ), ${auditedChange('requestToken', 'proof', 6)}
    insert into access_token (token_hash, client_id, ${proof.column}, scope, expires_at)
    select $1, client_id, ${proof.column}, $4, token_expires_at from proof
    returning greatest(1, floor(extract(epoch from expires_at - now())))::int as "expiresIn"`,
    [secretHash(token), clientId, value, scope, lifetimeSeconds, uuidV7(), requestId],
  );
  return issued && { token, expiresIn: issued.expiresIn };
}

/** An access token that is valid. */
export interface IssuedToken extends TokenGrant {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
}

/** What a token proves; `undefined` where it is unknown, has expired or was revoked, or its client is disabled. */
export async function findToken(queries: Queries, token: string): Promise<IssuedToken | undefined> {
  const [found] = await queries.query<IssuedToken>(
    `select client_id as "clientId", access_token.scope, extract(epoch from expires_at)::float8 * 1000 as "expiresAt",
      extract(epoch from issued_at)::float8 * 1000 as "issuedAt", grants_change::text as "grantsChange",
      ${visibleGrants}
    from access_token join api_client using (client_id)
    where token_hash = $1 and expires_at > now() and disabled_at is null`,
    [secretHash(token)],
  );
  return found;
}

/** Ends a token of a client, if there is one, and audits that. `false` if it is another client's, which keeps it. */
export async function revokeToken(
  queries: Queries,
  { clientId, token, requestId }: { readonly clientId: string; readonly token: string; readonly requestId: string },
): Promise<boolean> {
  const [other] = await queries.query(
    `with revoked as (
      delete from access_token where token_hash = $1 and client_id = $2 returning client_id
    ), ${auditedChange('revokeToken', 'revoked', 3)}
    select from access_token where token_hash = $1 and client_id <> $2 and expires_at > now()`,
    [secretHash(token), clientId, uuidV7(), requestId],
  );
  return other === undefined;
}
