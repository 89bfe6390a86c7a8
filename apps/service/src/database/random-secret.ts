import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new secret or token: 256 random bits, fit for a URL. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
