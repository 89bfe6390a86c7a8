import type { TokenGrant } from './grant.ts';

/** The check of bearer tokens (RFC 6750). */
export interface Authentication {
  /**
   * What the token of an `Authorization` header proves.
   *
   * @param address the IP address of the caller
   * @throws {HttpProblem} `unauthorized` when it has no valid token; `too-many-requests`.
   */
  grantOf(authorization: string | undefined, address: string): Promise<TokenGrant>;
  /**
   * Checks that what such a header has proved still holds, though its token may have expired meanwhile: a long list
   * outlives its token.
   *
   * @throws {AccessEndedError} when the token was revoked, its client disabled or its grants narrowed, more than a second ago.
   */
  checkAccess(authorization: string | undefined, grant: TokenGrant): Promise<void>;
  /** Evicts what is cached of a client, so that a change of the client holds from now on. */
  evict(clientId?: string): void;
}

/** What a token has proved no longer holds. */
export class AccessEndedError extends Error {
  override readonly name = 'AccessEndedError';
  readonly code = 'access-ended';

  constructor() {
    super('The token was revoked, its client disabled or its grants narrowed.');
  }
}
