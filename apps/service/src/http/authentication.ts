import { timingSafeEqual } from 'node:crypto';
import { findToken } from '../database/access-tokens.ts';
import type { TokenGrant } from '../database/access-tokens.ts';
import type { Scope } from '../database/clients.ts';
import { secretHash } from '../database/secret-hash.ts';
import { HttpProblem } from './http-problem.ts';
import type { ServiceContext } from './service-context.ts';

const CACHED_MS = 1000;
const MOST_CACHED = 10_000;

/** Who asks, by the `Authorization` header (RFC 6750). */
export type Authentication = (authorization: string | undefined) => Promise<TokenGrant>;

/** Makes the check of bearer tokens. What a valid token proves is remembered for a second, nothing else is. */
export function createAuthentication({ database, commandLineToken }: ServiceContext): Authentication {
  const cached = new Map<string, { grant: TokenGrant; until: number }>();
  const commandLineHash = secretHash(commandLineToken);

  async function grantOf(token: string): Promise<TokenGrant | undefined> {
    const now = Date.now();
    const hit = cached.get(token);
    if (hit && hit.until > now && hit.grant.expiresAt > now) return hit.grant;
    cached.delete(token);
    if (timingSafeEqual(secretHash(token), commandLineHash)) return commandLine;
    const grant = await findToken(database, token);
    if (!grant) return undefined;
    const [oldest] = cached.keys();
    if (oldest !== undefined && cached.size >= MOST_CACHED) cached.delete(oldest);
    cached.set(token, { grant, until: now + CACHED_MS });
    return grant;
  }

  return async (authorization) => {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) {
      throw unauthorized('Send an access token: Authorization: Bearer TOKEN.', 'Bearer realm="hr-cloud"');
    }
    const grant = await grantOf(token);
    if (grant) return grant;
    throw unauthorized(
      'The access token is not known or has expired; get a new one.',
      'Bearer realm="hr-cloud", error="invalid_token"',
    );
  };
}

const commandLine: TokenGrant = { clientId: 'command line', scope: 'operator', expiresAt: Number.POSITIVE_INFINITY };

/** Refuses a token of another scope. */
export function checkScope(grant: TokenGrant, scope: Scope): void {
  if (grant.scope === scope) return;
  throw new HttpProblem('forbidden', `This needs an access token of the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="hr-cloud", error="insufficient_scope", scope="${scope}"` },
  });
}

function unauthorized(detail: string, challenge: string): HttpProblem {
  return new HttpProblem('unauthorized', detail, { headers: { 'www-authenticate': challenge } });
}
