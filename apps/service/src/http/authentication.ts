import { bearerToken, invalidToken } from '@hr/schemas/provider';
import { findToken } from '../clients/access-tokens.ts';
import type { IssuedToken, TokenGrant } from '../clients/access-tokens.ts';
import { coverGrants, findGrants } from '../clients/client-grants.ts';
import type { VisibleGrants } from '../clients/client-grants.ts';
import { authenticateClient } from '../clients/clients.ts';
import type { Scope } from '../clients/clients.ts';
import type { CredentialKeys } from '../clients/credential-keys.ts';
import { createFailedAuthentications } from './failed-authentications.ts';
import { createLookupCache } from './lookup-cache.ts';
import type { LookupCache } from './lookup-cache.ts';
import type { ServiceContext } from './service-context.ts';

/**
 * The check of bearer tokens (RFC 6750) and of the credentials of clients. Only those that were issued are looked up. Of
 * any other one too many from an address are `too-many-requests`.
 */
export interface Authentication {
  /**
   * What the token of an `Authorization` header proves.
   *
   * @param address the IP address of the caller
   * @throws {HttpProblem} `unauthorized` when it has no valid token; `too-many-requests`.
   */
  grantOf(authorization: string | undefined, address: string): Promise<TokenGrant>;
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
  /**
   * Checks that what such a header has proved still holds, though its token may have expired meanwhile: a long list
   * outlives its token.
   *
   * @throws {AccessEndedError} when the token was revoked, its client disabled or its grants narrowed, more than a second ago.
   */
  checkAccess(authorization: string | undefined, grant: TokenGrant): Promise<void>;
  /** Evicts what is cached of a client, so that a change of the client holds from now on. */
  evict(clientId: string): void;
  /** How many tokens were found in the cache, and how many were looked up in the database. */
  readonly lookups: LookupCache<unknown>['counts'];
}

/** What a token has proved no longer holds. */
export class AccessEndedError extends Error {
  override readonly name = 'AccessEndedError';
  readonly code = 'access-ended';

  constructor() {
    super('The token was revoked, its client disabled or its grants narrowed.');
  }
}

export function createAuthentication(
  { database }: Pick<ServiceContext, 'database'>,
  credentialKeys: CredentialKeys,
): Authentication {
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

/** What a connection of this machine's command line proves. */
export const commandLine: TokenGrant = {
  clientId: 'command line',
  scope: 'operator',
  expiresAt: Number.POSITIVE_INFINITY,
  customFields: [],
};
