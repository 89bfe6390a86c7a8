import type { webcrypto } from 'node:crypto';
import { expectTypeOf, test } from 'vitest';
import {
  clientCredentials,
  isAuthError,
  staticToken,
  type AccessToken,
  type AuthError,
  type AuthErrorCode,
  type AuthErrorInit,
  type ClientCredentialsOptions,
  type OAuthErrorCode,
  type PrivateKey,
  type TokenProvider,
} from '../src/index.ts';

const credentials = { clientId: 'a', clientSecret: 'b' };
const baseUrl = 'https://hr.example.com';
const endpoint = 'https://hr.example.com/token';

test('exactly one of baseUrl and tokenEndpoint', () => {
  expectTypeOf({ ...credentials, baseUrl }).toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...credentials, tokenEndpoint: new URL(endpoint) }).toExtend<ClientCredentialsOptions>();
  expectTypeOf(credentials).not.toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...credentials, baseUrl, tokenEndpoint: endpoint }).not.toExtend<ClientCredentialsOptions>();
});

test('exactly one of clientSecret and privateKey', () => {
  const id = { baseUrl, clientId: 'a' };
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: 'b' };
  expectTypeOf({ ...id, clientSecret: 'b' }).toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...id, clientSecret: async () => 'b' }).toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...id, privateKey: jwk }).toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...id, privateKey: async () => jwk }).toExtend<ClientCredentialsOptions>();
  expectTypeOf<webcrypto.CryptoKey>().toExtend<PrivateKey>();
  expectTypeOf<webcrypto.JsonWebKey>().toExtend<PrivateKey>();
  expectTypeOf(id).not.toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...id, clientSecret: 'b', privateKey: jwk }).not.toExtend<ClientCredentialsOptions>();
  expectTypeOf({ ...id, privateKey: 'a PEM' }).not.toExtend<ClientCredentialsOptions>();
  expectTypeOf({ baseUrl, clientId: 'a', clientSecret: undefined }).not.toExtend<ClientCredentialsOptions>();
});

test('the global fetch is a fetch', () => {
  expectTypeOf<typeof globalThis.fetch>().toExtend<NonNullable<ClientCredentialsOptions['fetch']>>();
});

test('a plain object is a token, and a provider', () => {
  expectTypeOf<{ value: string; expiresAt: number }>().toExtend<AccessToken>();
  expectTypeOf<{
    getToken: () => Promise<{ value: string; expiresAt: number }>;
    invalidate: () => void;
  }>().toExtend<TokenProvider>();
});

test('nothing is any', () => {
  expectTypeOf(clientCredentials).returns.toEqualTypeOf<TokenProvider>();
  expectTypeOf(staticToken).returns.toEqualTypeOf<TokenProvider>();
  expectTypeOf(isAuthError).guards.toEqualTypeOf<AuthError>();
  expectTypeOf<AuthError['code']>().toEqualTypeOf<AuthErrorCode>();
  expectTypeOf<AuthErrorCode>().not.toEqualTypeOf<string>();
  expectTypeOf<AuthError['oauthError']>().toEqualTypeOf<OAuthErrorCode | undefined>();
  expectTypeOf<OAuthErrorCode>().not.toEqualTypeOf<string>();
});

test('an error is data for another one', () => {
  expectTypeOf<AuthError>().toExtend<AuthErrorInit>();
  expectTypeOf<{ status: number }>().toExtend<AuthErrorInit>();
  expectTypeOf<{ oauthError: number }>().not.toExtend<AuthErrorInit>();
});
