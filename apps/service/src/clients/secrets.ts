import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET_BYTES = 32;

// Scanners for secrets in code and logs recognise the prefixes.
const SECRET_PREFIX = 'hrs_';
const TOKEN_PREFIX = 'hrt_';

/** 256 random bits, in 43 characters that fit a URL and a bearer token. */
function randomText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** A new secret of a client. */
export function newSecret(): string {
  return SECRET_PREFIX + randomText();
}

/** A new access token, which ends with a checksum. */
export function newToken(): string {
  return withChecksum(TOKEN_PREFIX + randomText());
}

const tokenForm = new RegExp(`^(${TOKEN_PREFIX}[\\w-]{43})[\\w-]{6}$`);

/** Whether a text has the form of an access token. One that does not needs no lookup in the database. */
export function hasTokenForm(text: string): boolean {
  const [, unchecked] = tokenForm.exec(text) ?? [];
  return unchecked !== undefined && withChecksum(unchecked) === text;
}

function withChecksum(text: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(text));
  return text + checksum.toString('base64url');
}

/** The SHA-256 that is stored of a secret or a token. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** SQL for whether the secret of a row of `client_secret` is valid now. */
export const secretIsValid = '(expires_at is null or expires_at > clock_timestamp())';
