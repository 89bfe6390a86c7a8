import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { sendForm, type Fields } from './oauth-form.ts';
import type { TestService } from './service.ts';

/** Of a JWT, right or wrong. */
export type Claims = Readonly<Record<string, unknown>>;

export interface KeyPair {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export async function newKey(alg: 'Ed25519' | 'ES256' = 'Ed25519', kid?: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  return {
    alg,
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), ...named },
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
  };
}

export const now = (): number => Math.floor(Date.now() / 1000);

/** The claims of a valid assertion. */
export function claimsOf({ baseUrl }: Pick<TestService, 'baseUrl'>, clientId: string): Claims {
  return { iss: clientId, sub: clientId, aud: baseUrl, jti: randomUUID(), iat: now(), exp: now() + 60 };
}

export function sign({ privateKey, alg, publicJwk }: KeyPair, claims: Claims, header: object = {}): Promise<string> {
  const { kid } = publicJwk;
  return new SignJWT(claims)
    .setProtectedHeader({ alg, ...(kid && { kid }), ...header })
    .sign(privateKey, { crit: { exp: true } });
}

/** The fields of a form with an assertion. */
export function asserting(assertion: string): Record<string, string> {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { client_assertion_type: type, client_assertion: assertion };
}

/** Asks for a token with an assertion. */
export function askTokenBy(
  service: Pick<TestService, 'baseUrl'>,
  assertion: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): ReturnType<typeof sendForm> {
  const form: Fields = { grant_type: 'client_credentials', ...asserting(assertion), ...fields };
  return sendForm(service, 'token', form, headers);
}
