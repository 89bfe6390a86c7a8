import { createHash } from 'node:crypto';

/** The SHA-256 under which a secret or a token is kept. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
