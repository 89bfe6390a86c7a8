import { API_SCOPE } from '@hr/schemas';
import type { TokenResponse } from '@hr/schemas';
import { bearerToken, invalidToken, problems } from '@hr/schemas/provider';
import { exampleTokens } from '../contract/example-tokens.ts';
import type { Client, Store } from './store.ts';

const LIFETIME_SECONDS = 3600;

/** What a token proves. */
interface TokenGrant {
  readonly clientId: string;
  readonly scope: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The access tokens that were issued, and those that contracts are written with. */
export interface Tokens {
  issue(store: Store, client: Client): TokenResponse;
  /** @throws {HttpProblem} when an `Authorization` header has no valid token. */
  grantOf(store: Store, authorization: string | null): TokenGrant;
  /** Ends the token of an `Authorization` header, if it was issued. */
  end(authorization: string | null): void;
}

/** @param clientId the owner of the tokens of contracts */
export function createTokens(clientId: string): Tokens {
  const expiresAt = Number.POSITIVE_INFINITY;
  const ofContracts = new Map<string, TokenGrant>([
    [exampleTokens.valid, { clientId, scope: API_SCOPE, expiresAt }],
    [exampleTokens.withoutScope, { clientId, scope: 'operator', expiresAt }],
  ]);
  const issued = new Map<string, TokenGrant>();
  let count = 0;
  return {
    issue({ clock }, client) {
      const token = `fake-token-${++count}`;
      issued.set(token, { ...client, expiresAt: clock() + LIFETIME_SECONDS * 1000 });
      return { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope: client.scope };
    },
    grantOf({ clock, clients, isUnavailable }, authorization) {
      const token = bearerToken(authorization);
      if (isUnavailable) throw problems.unavailable();
      const grant = ofContracts.get(token) ?? issued.get(token);
      if (!grant || grant.expiresAt <= clock() || !clients.has(grant.clientId)) throw invalidToken();
      return grant;
    },
    end: (authorization) => void issued.delete(bearerToken(authorization)),
  };
}
