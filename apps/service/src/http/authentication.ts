import { bearerToken, invalidToken } from '@hr/schemas/provider';
import { findToken } from '../clients/access-tokens.ts';
import type { TokenGrant } from '../clients/access-tokens.ts';
import { isEnabled } from '../clients/clients.ts';
import { hasTokenForm } from '../clients/secrets.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import type { ServiceContext } from './service-context.ts';

const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

/** The check of bearer tokens (RFC 6750). Valid ones are cached for a second. */
export interface Authentication {
  /**
   * What the token of an `Authorization` header proves.
   *
   * @param address the IP address of the caller
   * @throws {HttpProblem} `unauthorized` when it has no valid token; `too-many-requests` when that was so too often.
   */
  grantOf(authorization: string | undefined, address: string): Promise<TokenGrant>;
  /**
   * Checks that what such a header has proved still holds, though its token may have expired meanwhile: a long list
   * outlives its token.
   *
   * @throws {AccessEndedError} when the token was revoked, or its client disabled, more than a second ago.
   */
  checkAccess(authorization: string | undefined, grant: TokenGrant): Promise<void>;
  /** Evicts the tokens of a client from the cache, so that a change of the client holds from now on. */
  evict(clientId: string): void;
  /** How many tokens were found in the cache, and how many were looked up in the database. */
  readonly lookups: { readonly hits: number; readonly misses: number };
}

/** What a token has proved no longer holds. */
export class AccessEndedError extends Error {
  override readonly name = 'AccessEndedError';
  readonly code = 'access-ended';

  constructor() {
    super('The token was revoked, or its client disabled.');
  }
}

interface CachedGrant {
  readonly grant: TokenGrant;
  /** In the milliseconds of `performance.now()`, which never goes back. */
  readonly until: number;
}

export function createAuthentication(
  { database }: ServiceContext,
  failedAuthentications: FailedAuthentications,
): Authentication {
  const cache = new Map<string, CachedGrant>();
  // A lookup that began before an eviction may have found what was true then.
  let evictions = 0;
  const lookups = { hits: 0, misses: 0 };
  const pending = new Map<string, Promise<TokenGrant | undefined>>();
  /** Until when a client counts as enabled. */
  const enabled = new Map<string, number>();

  function cached(token: string): TokenGrant | undefined {
    const hit = cache.get(token);
    return hit && hit.until > performance.now() && hit.grant.expiresAt > Date.now() ? hit.grant : undefined;
  }

  /** Requests with the same token wait for one lookup. */
  function lookUp(token: string, address: string): Promise<TokenGrant | undefined> {
    const running =
      pending.get(token) ??
      failedAuthentications.attempt(address, token, () => find(token)).finally(() => pending.delete(token));
    pending.set(token, running);
    return running;
  }

  async function find(token: string): Promise<TokenGrant | undefined> {
    cache.delete(token);
    lookups.misses++;
    const now = performance.now();
    const evictionsBefore = evictions;
    const grant = await findToken(database, token);
    if (!grant || evictions !== evictionsBefore) return grant;
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(token, { grant, until: now + CACHE_MS });
    return grant;
  }

  async function hasEnabledClient({ clientId }: TokenGrant): Promise<boolean> {
    const now = performance.now();
    if ((enabled.get(clientId) ?? 0) > now) return true;
    enabled.delete(clientId);
    const evictionsBefore = evictions;
    const found = await isEnabled(database, clientId);
    if (found && evictions === evictionsBefore) enabled.set(clientId, now + CACHE_MS);
    return found;
  }

  return {
    lookups,
    async grantOf(authorization, address) {
      const token = bearerToken(authorization);
      const hit = cached(token);
      if (hit) {
        lookups.hits++;
        return hit;
      }
      const grant = hasTokenForm(token) ? await lookUp(token, address) : undefined;
      if (!grant) throw invalidToken();
      return grant;
    },
    async checkAccess(authorization, grant) {
      if (grant === commandLine) return;
      const token = bearerToken(authorization);
      if (cached(token) || (grant.expiresAt > Date.now() && (await find(token)))) return;
      const hasExpired = grant.expiresAt <= Date.now();
      if (!hasExpired || !(await hasEnabledClient(grant))) throw new AccessEndedError();
    },
    evict(clientId) {
      evictions++;
      enabled.delete(clientId);
      pending.clear();
      for (const [token, { grant }] of cache) if (grant.clientId === clientId) cache.delete(token);
    },
  };
}

/** What a connection of this machine's command line proves. */
export const commandLine: TokenGrant = {
  clientId: 'command line',
  scope: 'operator',
  expiresAt: Number.POSITIVE_INFINITY,
  customFields: [],
};
