import { randomBytes } from 'node:crypto';
import type { Scope } from './clients.ts';
import type { Queries } from './database.ts';
import { secretHash } from './secret-hash.ts';

/** What an access token proves. */
export interface TokenGrant {
  readonly clientId: string;
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const TOKEN_BYTES = 32;

/** Issues an opaque access token; only its hash is kept. The client's expired ones are forgotten. */
export async function issueToken(
  queries: Queries,
  { clientId, scope, lifetimeSeconds }: { clientId: string; scope: Scope; lifetimeSeconds: number },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await queries.query(
    `with forgotten as (delete from access_token where client_id = $2 and expires_at < now())
    insert into access_token (token_hash, client_id, scope, expires_at) values ($1, $2, $3, now() + make_interval(secs => $4))`,
    [secretHash(token), clientId, scope, lifetimeSeconds],
  );
  return token;
}

/** What a token proves; `undefined` where it is unknown or has expired. */
export async function findToken(queries: Queries, token: string): Promise<TokenGrant | undefined> {
  const [row] = await queries.query<{ clientId: string; scope: Scope; expiresAt: string }>(
    `select client_id as "clientId", scope, extract(epoch from expires_at)::text as "expiresAt"
    from access_token where token_hash = $1 and expires_at > now()`,
    [secretHash(token)],
  );
  return row && { ...row, expiresAt: Number(row.expiresAt) * 1000 };
}
