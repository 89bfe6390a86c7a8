import { visibleGrants } from './client-grants.ts';
import { auditedChange } from '../audit/audit-events.ts';
import { uuidV7 } from '../audit/uuid-v7.ts';
import type { Queries } from '../database/database.ts';
import type { Scope, TokenGrant } from '../http/grant.ts';
import { createCredentialKeys } from './credential-keys.ts';
import { secretHash, secretIsValid } from './secrets.ts';

interface NewToken {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: Scope;
  readonly lifetimeSeconds: number;
  /** Of the request for it, for the audit. */
  readonly requestId: string;
}

/**
 * Issues an opaque access token, audits that and stores only the token's hash. Deletes the expired tokens of the client. `undefined` if the
 * secret is no longer valid, or the client is disabled.
 */
export async function issueToken(
  queries: Queries,
  { clientId, clientSecret, scope, lifetimeSeconds, requestId }: NewToken,
  credentialKeys = createCredentialKeys(queries),
): Promise<{ readonly token: string; readonly expiresIn: number } | undefined> {
  const { text: token } = await credentialKeys.issue({ kind: 'token' });
  // The locks make this statement wait for a transaction that disables the client or changes its secrets, and check
  // what that has left. Such a transaction locks the client first, too, so there is no deadlock.
  const [issued] = await queries.query<{ expiresIn: number }>(
    `with secret as (
      select client_id, secret_hash, least(now() + make_interval(secs => $5), expires_at) as token_expires_at
      from api_client join client_secret using (client_id)
      where client_id = $2 and secret_hash = $3 and disabled_at is null and ${secretIsValid}
      for no key update of api_client for key share of client_secret
    ), client as (
      update api_client set last_token_at = now() from secret where api_client.client_id = secret.client_id
    ), expired as (
      delete from access_token using secret where access_token.client_id = secret.client_id and expires_at < now()
    ), ${auditedChange('requestToken', 'secret', 6)}
    insert into access_token (token_hash, client_id, secret_hash, scope, expires_at)
    select $1, client_id, secret_hash, $4, token_expires_at from secret
    returning greatest(1, floor(extract(epoch from expires_at - now())))::int as "expiresIn"`,
    [secretHash(token), clientId, secretHash(clientSecret), scope, lifetimeSeconds, uuidV7(), requestId],
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
