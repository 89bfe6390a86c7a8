import { timingSafeEqual } from 'node:crypto';
import { findToken } from '../database/access-tokens.ts';
import type { TokenGrant } from '../database/access-tokens.ts';
import type { Scope } from '../database/clients.ts';
import { secretHash } from '../database/secret-hash.ts';
import { HttpProblem } from './http-problem.ts';
import type { ServiceContext } from './service-context.ts';

const REMEMBERED_MS = 1000;
const MOST_REMEMBERED = 10_000;

/** The check of bearer tokens (RFC 6750). What a valid token proves is remembered for a second, nothing else is. */
export interface Authentication {
  /**
   * Who asks, by the `Authorization` header.
   *
   * @throws {HttpProblem} where it brings no valid token.
   */
  grantOf(authorization: string | undefined): Promise<TokenGrant>;
  /** Forgets what is remembered of a client, so that what was changed of it holds from now on. */
  forget(clientId: string): void;
  /** How many tokens were remembered, and how many were searched in the database. */
  readonly lookups: { readonly hits: number; readonly misses: number };
}

interface Remembered {
  readonly grant: TokenGrant;
  /** In the milliseconds of `performance.now()`, which nobody sets back. */
  readonly until: number;
}

export function createAuthentication({ database, commandLineToken }: ServiceContext): Authentication {
  const remembered = new Map<string, Remembered>();
  const commandLineHash = secretHash(commandLineToken);
  // Counts what was forgotten: a search that began before may have found what was true then.
  let forgotten = 0;
  const lookups = { hits: 0, misses: 0 };

  async function find(token: string): Promise<TokenGrant | undefined> {
    const now = performance.now();
    const hit = remembered.get(token);
    if (hit && hit.until > now && hit.grant.expiresAt > Date.now()) {
      lookups.hits++;
      return hit.grant;
    }
    remembered.delete(token);
    if (timingSafeEqual(secretHash(token), commandLineHash)) return commandLine;
    lookups.misses++;
    const forgottenBefore = forgotten;
    const grant = await findToken(database, token);
    if (!grant || forgotten !== forgottenBefore) return grant;
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MOST_REMEMBERED) remembered.delete(oldest);
    remembered.set(token, { grant, until: now + REMEMBERED_MS });
    return grant;
  }

  return {
    lookups,
    async grantOf(authorization) {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) {
        throw unauthorized('Send an access token: Authorization: Bearer TOKEN.', 'Bearer realm="hr-cloud"');
      }
      const grant = await find(token);
      if (grant) return grant;
      throw unauthorized(
        'The access token is not known, was revoked or has expired; get a new one.',
        'Bearer realm="hr-cloud", error="invalid_token"',
      );
    },
    forget(clientId) {
      forgotten++;
      for (const [token, { grant }] of remembered) if (grant.clientId === clientId) remembered.delete(token);
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
