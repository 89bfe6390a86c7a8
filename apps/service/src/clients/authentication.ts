import { bearerToken, invalidToken } from '@hr/schemas/provider';
import type { Queries } from '../database/database.ts';
import { AccessEndedError, type Authentication } from '../http/authentication.ts';
import { commandLine, type Scope, type VisibleGrants } from '../http/grant.ts';
import { findToken, type IssuedToken } from './access-tokens.ts';
import { coverGrants, findGrants } from './client-grants.ts';
import { authenticateClient } from './clients.ts';
import type { CredentialKeys } from './credential-keys.ts';
import { createFailedAuthentications } from './failed-authentications.ts';
import { createLookupCache } from './lookup-cache.ts';

/**
 * The check of bearer tokens and of the credentials of clients. Only those that were issued are looked up. Of any other
 * one too many from an address are `too-many-requests`.
 */
export interface ClientAuthentication extends Authentication {
  /**
   * The scope of a client, which is `undefined` if the secret has ended or the client is disabled. Nothing if the client
   * never had this secret.
   *
   * @param address the IP address of the caller
   * @throws {HttpProblem} `too-many-requests`.
   */
  clientOf(
    credentials: { readonly clientId: string; readonly clientSecret: string },
    address: string,
  ): Promise<{ readonly scope: Scope | undefined } | undefined>;
  /** How many tokens were found in the cache, and how many were looked up in the database. */
  readonly lookups: { readonly hits: number; readonly misses: number };
}

export function createAuthentication(database: Queries, credentialKeys: CredentialKeys): ClientAuthentication {
  const failedAuthentications = createFailedAuthentications();
  const tokens = createLookupCache<IssuedToken>(({ expiresAt }) => expiresAt > Date.now());
  // Of secrets only failures are cached: one that is retired ends at once in all processes.
  const secrets = createLookupCache<{ readonly scope: Scope }>(() => false);
  const grants = createLookupCache<VisibleGrants>(() => true);

  const find = (token: string) => tokens.get(token, () => findToken(database, token));

  return {
    lookups: tokens.counts,
    async grantOf(authorization, address) {
      const token = bearerToken(authorization);
      const isIssued = tokens.has(token) || (await credentialKeys.hasIssued(token, { kind: 'token' }));
      if (!isIssued) failedAuthentications.countGuess(address);
      const grant = isIssued ? await find(token) : undefined;
      if (!grant) throw invalidToken();
      return grant;
    },
    async clientOf({ clientId, clientSecret }, address) {
      if (!(await credentialKeys.hasIssued(clientSecret, { kind: 'secret', clientId }))) {
        failedAuthentications.countGuess(address);
        return undefined;
      }
      const client = await secrets.get(`${clientId} ${clientSecret}`, () =>
        authenticateClient(database, clientId, clientSecret),
      );
      return { scope: client?.scope };
    },
    async checkAccess(authorization, grant) {
      if (grant === commandLine) return;
      const { clientId, expiresAt } = grant;
      let current: VisibleGrants | undefined;
      if (expiresAt > Date.now()) current = await find(bearerToken(authorization));
      if (expiresAt <= Date.now()) current ??= await grants.get(clientId, () => findGrants(database, clientId));
      if (!current || !coverGrants(current, grant)) throw new AccessEndedError();
    },
    evict(clientId) {
      tokens.evict((found) => found.clientId === clientId);
      secrets.evict();
      grants.evict();
    },
  };
}
