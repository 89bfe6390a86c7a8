import { Identifier } from '@hr/schemas';
import { bearerToken, invalidToken, type Credentials } from '@hr/schemas/provider';
import type { Queries } from '../database/database.ts';
import { AccessEndedError, type Authentication } from '../http/authentication.ts';
import { commandLine, type Scope, type VisibleGrants } from '../http/grant.ts';
import { findToken, type IssuedToken, type Proof } from './access-tokens.ts';
import type { ClientAssertions } from './client-assertions.ts';
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
   * The client that has these credentials. Nothing if it never had this secret, or none of its keys has signed the
   * assertion.
   *
   * @param caller its IP address, and the values of which `aud` of an assertion is one
   * @throws {HttpProblem} `too-many-requests`.
   */
  clientOf(
    credentials: Credentials,
    caller: { readonly address: string; readonly audiences: readonly string[] },
  ): Promise<ProvedClient | undefined>;
  /** How many tokens were found in the cache, and how many were looked up in the database. */
  readonly lookups: { readonly hits: number; readonly misses: number };
}

/** A client, and the secret or the key by which it has proved who it is. */
interface ProvedClient extends Proof {
  /** `undefined` if the secret or the key has ended, the assertion was used before, or the client is disabled. */
  readonly scope?: Scope | undefined;
  /** Why the assertion proves nothing, for who has the key. */
  readonly fault?: string;
}

export function createAuthentication(
  database: Queries,
  credentialKeys: CredentialKeys,
  assertions: ClientAssertions,
): ClientAuthentication {
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
    async clientOf({ clientId = '', clientSecret = '', clientAssertion }, { address, audiences }) {
      if (clientAssertion !== undefined) {
        const client = await assertions.verify(clientAssertion, clientId, audiences);
        if (client?.scope === undefined) failedAuthentications.countGuess(address);
        return client;
      }
      if (!Identifier.safeParse(clientId).success || clientSecret === '') return undefined;
      if (!(await credentialKeys.hasIssued(clientSecret, { kind: 'secret', clientId }))) {
        failedAuthentications.countGuess(address);
        return undefined;
      }
      const client = await secrets.get(`${clientId} ${clientSecret}`, () =>
        authenticateClient(database, clientId, clientSecret),
      );
      return { clientId, clientSecret, scope: client?.scope };
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
      assertions.evict();
    },
  };
}
