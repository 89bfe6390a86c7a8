import { createHash } from 'node:crypto';

/** The SHA-256 that is stored of a secret or a token. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** SQL for whether the secret of a row of `client_secret` is valid now. */
export const secretIsValid = '(expires_at is null or expires_at > clock_timestamp())';
