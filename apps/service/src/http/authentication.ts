import { timingSafeEqual } from 'node:crypto';
import { bearerToken, invalidToken } from '@hr/schemas/provider';
import { findToken } from '../clients/access-tokens.ts';
import type { TokenGrant } from '../clients/access-tokens.ts';
import { hasTokenForm, secretHash } from '../clients/secrets.ts';
import type { ServiceContext } from './service-context.ts';

const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

/** The check of bearer tokens (RFC 6750). Valid ones are cached for a second. */
export interface Authentication {
  /**
   * What the token of an `Authorization` header proves.
   *
   * @throws {HttpProblem} `unauthorized` when it has no valid token.
   */
  grantOf(authorization: string | undefined): Promise<TokenGrant>;
  /** Evicts the tokens of a client from the cache, so that a change of the client holds from now on. */
  evict(clientId: string): void;
  /** How many tokens were found in the cache, and how many were looked up in the database. */
  readonly lookups: { readonly hits: number; readonly misses: number };
}

interface CachedGrant {
  readonly grant: TokenGrant;
  /** In the milliseconds of `performance.now()`, which never goes back. */
  readonly until: number;
}

export function createAuthentication({ database, commandLineToken }: ServiceContext): Authentication {
  const cache = new Map<string, CachedGrant>();
  const commandLineHash = secretHash(commandLineToken);
  // A lookup that began before an eviction may have found what was true then.
  let evictions = 0;
  const lookups = { hits: 0, misses: 0 };

  async function find(token: string): Promise<TokenGrant | undefined> {
    const now = performance.now();
    const hit = cache.get(token);
    if (hit && hit.until > now && hit.grant.expiresAt > Date.now()) {
      lookups.hits++;
      return hit.grant;
    }
    cache.delete(token);
    if (timingSafeEqual(secretHash(token), commandLineHash)) return commandLine;
    if (!hasTokenForm(token)) return undefined;
    lookups.misses++;
    const evictionsBefore = evictions;
    const grant = await findToken(database, token);
    if (!grant || evictions !== evictionsBefore) return grant;
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(token, { grant, until: now + CACHE_MS });
    return grant;
  }

  return {
    lookups,
    async grantOf(authorization) {
      const grant = await find(bearerToken(authorization));
      if (!grant) throw invalidToken();
      return grant;
    },
    evict(clientId) {
      evictions++;
      for (const [token, { grant }] of cache) if (grant.clientId === clientId) cache.delete(token);
    },
  };
}

/** What the token of this machine's command line proves. */
export const commandLine: TokenGrant = {
  clientId: 'command line',
  scope: 'operator',
  expiresAt: Number.POSITIVE_INFINITY,
  customFields: [],
};
