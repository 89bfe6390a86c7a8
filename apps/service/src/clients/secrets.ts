import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new secret or token: 256 random bits, fit for a URL. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The SHA-256 that is stored of a secret or a token. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
