import { ClientSecretPost, PrivateKeyJwt, type ClientAuth, type CryptoKey } from 'oauth4webapi';
import { AuthError } from './auth-error.ts';

/**
 * A private key as a JSON Web Key (RFC 7517): Ed25519 (RFC 8037) or P-256 (RFC 7518, section 6.2). A client with several
 * keys needs `kid`, as the operator registered it.
 *
 * @example
 * const key: PrivateJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qY…', d: 'nWGx…', kid: '2026' };
 */
export interface PrivateJwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly d?: string | undefined;
  readonly kid?: string | undefined;
  readonly alg?: string | undefined;
  readonly use?: string | undefined;
  readonly key_ops?: readonly string[] | undefined;
  readonly ext?: boolean | undefined;
}

/**
 * A private key that signs with Ed25519 or with ECDSA and P-256.
 *
 * @example
 * const key: PrivateKey = { kty: 'OKP', crv: 'Ed25519', x: '11qY…', d: 'nWGx…' };
 */
export type PrivateKey = CryptoKey | PrivateJwk;

/**
 * By what a program proves that it is the client: a secret or a private key, exactly one of the two.
 *
 * @example
 * const proof: ClientProof = { privateKey: () => JSON.parse(process.env['HR_PRIVATE_KEY'] ?? '') as PrivateJwk };
 */
export type ClientProof =
  | {
      /** The client secret, or a function that returns it. The provider calls the function for each new token, so a rotated secret needs no restart. */
      readonly clientSecret: string | (() => string | Promise<string>);
      readonly privateKey?: undefined;
    }
  | {
      /**
       * The private key, or a function that returns it. The provider calls the function for each new token, so a rotated
       * key needs no restart. The key stays in the program: it signs a JWT for each token request (`private_key_jwt`;
       * RFC 7523, section 2.2). `aud` of the JWT is the base URL, or the token endpoint if that is set.
       */
      readonly privateKey: PrivateKey | (() => PrivateKey | Promise<PrivateKey>);
      readonly clientSecret?: undefined;
    };

/** A secret or key that was read. */
export interface ReadProof {
  /** The same for the same secret or key. */
  readonly id: unknown;
  readonly authenticate: ClientAuth;
}

const VSCHAR = /^[\x20-\x7e]+$/;
const SECRET = 'printable ASCII, not empty and trimmed';
const KEY = 'a private Ed25519 or P-256 key, as CryptoKey or JWK';
const CURVES = /^(?:Ed25519|P-256)$/;

/**
 * Checks a secret or a private key, and gives the function that reads it. That rejects with `secret-unavailable` if a function
 * of the options fails.
 *
 * @throws {AuthError} `invalid-option`.
 */
export function readerOf({ clientSecret, privateKey }: ClientProof): () => Promise<ReadProof> {
  if ((clientSecret === undefined) === (privateKey === undefined)) {
    throw new AuthError('invalid-option', 'clientSecret, privateKey: set exactly one of the two.');
  }
  const [name, given, isValid, kind, proofOf] =
    privateKey === undefined
      ? (['clientSecret', clientSecret, isVschar, SECRET, proofBySecret] as const)
      : (['privateKey', privateKey, isPrivateKey, KEY, proofByKey] as const);
  const rule = `${name} must be ${kind}, or a function that returns one.`;
  if (typeof given !== 'function' && !isValid(given)) throw new AuthError('invalid-option', rule);
  return async () => {
    let value: unknown = given;
    try {
      if (typeof given === 'function') value = await given();
    } catch {
      throw unavailable(
        `The ${name} function failed. Call it directly to see its error, which may contain the secret.`,
      );
    }
    if (!isValid(value)) throw unavailable(rule);
    return proofOf(value as never);
  };
}

function proofBySecret(secret: string): ReadProof {
  return { id: secret, authenticate: ClientSecretPost(secret) };
}

async function proofByKey(given: PrivateKey): Promise<ReadProof> {
  if (isCryptoKey(given)) return { id: given, authenticate: PrivateKeyJwt({ key: given }) };
  const { kty, crv = '', x, y, d, kid } = given;
  const algorithm = { name: crv === 'P-256' ? 'ECDSA' : crv, namedCurve: crv };
  const jwk = { kty, crv, x, y, d } as object;
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']).catch(() => {
    throw unavailable('The platform rejects privateKey.');
  });
  return { id: `${crv} ${x} ${kid}`, authenticate: PrivateKeyJwt({ key, kid } as { key: CryptoKey }) };
}

function unavailable(message: string): AuthError {
  return new AuthError('secret-unavailable', message);
}

function isPrivateKey(value: unknown): value is PrivateKey {
  if (typeof value !== 'object' || value === null) return false;
  if (isCryptoKey(value)) {
    const { name, namedCurve = name } = value.algorithm as { readonly name: string; readonly namedCurve?: string };
    return value.usages.includes('sign') && CURVES.test(namedCurve);
  }
  const { crv, d } = value as PrivateJwk;
  return typeof d === 'string' && CURVES.test(String(crv));
}

function isCryptoKey(value: object): value is CryptoKey {
  return value instanceof globalThis.CryptoKey;
}

/** Whether a value is a non-empty string of printable ASCII, as ids, secrets and scopes are (RFC 6749, appendix A). */
export function isVschar(value: unknown): value is string {
  return typeof value === 'string' && VSCHAR.test(value);
}
