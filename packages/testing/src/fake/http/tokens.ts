import { API_SCOPE } from '@hr/schemas';
import { exampleTokens } from '../../contract/example-tokens.ts';
import type { Client, Store } from '../store.ts';
import { HttpProblem, unavailable } from './http-problem.ts';

/** What a token proves. */
export interface TokenGrant {
  readonly clientId: string;
  readonly scope: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The access tokens that have been issued, and those that contracts are written with. */
export interface Tokens {
  issue(store: Store, client: Client, lifetimeSeconds: number): string;
  /**
   * Who asks, by the `Authorization` header.
   *
   * @throws {HttpProblem} where it brings no valid token.
   */
  grantOf(store: Store, authorization: string | null): TokenGrant;
  /** Ends the token of an `Authorization` header, if it brings one that was issued. */
  end(authorization: string | null): void;
}

/** @param clientId whose tokens those of contracts are */
export function createTokens(clientId: string): Tokens {
  const expiresAt = Number.POSITIVE_INFINITY;
  const ofContracts = new Map<string, TokenGrant>([
    [exampleTokens.valid, { clientId, scope: API_SCOPE, expiresAt }],
    [exampleTokens.withoutScope, { clientId, scope: 'operator', expiresAt }],
  ]);
  const issued = new Map<string, TokenGrant>();
  let count = 0;
  return {
    issue({ clock }, client, lifetimeSeconds) {
      const token = `fake-token-${++count}`;
      issued.set(token, {
        clientId: client.clientId,
        scope: client.scope,
        expiresAt: clock() + lifetimeSeconds * 1000,
      });
      return token;
    },
    grantOf({ clock, clients, isUnavailable }, authorization) {
      const token = tokenOf(authorization);
      if (token === undefined) {
        throw unauthorized('Send an access token: Authorization: Bearer TOKEN.', 'Bearer realm="hr-cloud"');
      }
      if (isUnavailable) throw unavailable();
      const grant = ofContracts.get(token) ?? issued.get(token);
      if (grant && grant.expiresAt > clock() && clients.has(grant.clientId)) return grant;
      throw invalidToken();
    },
    end(authorization) {
      issued.delete(tokenOf(authorization) ?? '');
    },
  };
}

function tokenOf(authorization: string | null): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Refuses a token of another scope. */
export function checkScope({ scope }: TokenGrant): void {
  if (scope !== API_SCOPE) throw insufficientScope();
}

export function insufficientScope(): HttpProblem {
  return new HttpProblem('forbidden', `This needs an access token of the scope ${API_SCOPE}.`, {
    headers: { 'www-authenticate': `Bearer realm="hr-cloud", error="insufficient_scope", scope="${API_SCOPE}"` },
  });
}

export function invalidToken(): HttpProblem {
  return unauthorized(
    'The access token is not known, was revoked or has expired; get a new one.',
    'Bearer realm="hr-cloud", error="invalid_token"',
  );
}

function unauthorized(detail: string, challenge: string): HttpProblem {
  return new HttpProblem('unauthorized', detail, { headers: { 'www-authenticate': challenge } });
}
