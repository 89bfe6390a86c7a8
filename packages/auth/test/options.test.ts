import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientCredentials, isAuthError } from '../src/index.ts';
import { tokenEndpoint } from '../src/token-endpoint.ts';
import { providerFor } from './provider.ts';
import { numberedToken, tokenServer } from './token-server.ts';

const valid = { baseUrl: 'https://hr.example.com', clientId: 'payroll-sync', clientSecret: 'secret' };

/** With options that a program in JavaScript may pass. */
const construct = (options: Record<string, unknown>) => () => clientCredentials({ ...valid, ...options });

test.each([
  ['baseUrl', { baseUrl: 'hr.example.com' }],
  ['baseUrl', { baseUrl: 'ftp://hr.example.com' }],
  ['baseUrl', { baseUrl: 'https://user@hr.example.com' }],
  ['baseUrl', { baseUrl: 'https://:password@hr.example.com' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/#top' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/?a=b' }],
  ['baseUrl', { baseUrl: 'https://hr.example.com/api/v1' }],
  ['tokenEndpoint', { baseUrl: undefined, tokenEndpoint: '/api/oauth2/token' }],
  ['baseUrl, tokenEndpoint', { baseUrl: undefined }],
  ['baseUrl, tokenEndpoint', { tokenEndpoint: 'https://hr.example.com/token' }],
  ['clientId', { clientId: undefined }],
  ['clientId', { clientId: '' }],
  ['clientSecret, privateKey', { clientSecret: undefined }],
  ['clientSecret, privateKey', { privateKey: { kty: 'OKP', crv: 'Ed25519', x: 'a', d: 'b' } }],
  ['privateKey', { clientSecret: undefined, privateKey: '-----BEGIN PRIVATE KEY-----' }],
  ['privateKey', { clientSecret: undefined, privateKey: null }],
  ['privateKey', { clientSecret: undefined, privateKey: { kty: 'OKP', crv: 'Ed25519', x: 'a' } }],
  ['privateKey', { clientSecret: undefined, privateKey: { kty: 'RSA', n: 'a', d: 'b' } }],
  ['privateKey', { clientSecret: undefined, privateKey: { kty: 'EC', crv: 'toString', d: 'b' } }],
  ['clientSecret', { clientSecret: '' }],
  ['clientSecret', { clientSecret: 'from-a-file\n' }],
  ['scope', { scope: '' }],
  ['timeout', { timeout: 0 }],
  ['timeout', { timeout: 1.5 }],
  ['timeout', { timeout: 2 ** 31 }],
  ['timeout', { timeout: '30' }],
  ['fetch', { fetch: 'fetch' }],
  [
    'clientCredentials has an unknown option, secret. The options are baseUrl, tokenEndpoint, clientId, clientSecret, privateKey, scope,',
    { secret: 's' },
  ],
])('a wrong %s throws an error that names it: %o', (name, options) => {
  expect(construct(options)).toThrow(
    expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(name) as string, attempts: 0 }),
  );
});

test.each([[], [undefined], [null], ['https://hr.example.com']])('missing options throw: %j', (...args) => {
  expect(() => clientCredentials(...(args as unknown as [typeof valid]))).toThrow(
    expect.objectContaining({
      code: 'invalid-option',
      message: 'clientCredentials needs its options, { baseUrl, clientId, clientSecret or privateKey }.',
    }),
  );
});

test('without Promise.withResolvers, the needed platform is named', () => {
  const platform = Object.getOwnPropertyDescriptors(Promise).withResolvers;
  Object.assign(Promise, { withResolvers: undefined });
  try {
    expect(construct({})).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: 'clientCredentials needs Node.js 22 or newer, or a current browser.',
      }),
    );
  } finally {
    Object.defineProperty(Promise, 'withResolvers', platform);
  }
});

const of = (baseUrl: string | URL) => tokenEndpoint({ baseUrl }, 'A secret').tokenEndpoint.href;

describe('the token endpoint', () => {
  test.each([
    ['https://hr.example.com', 'https://hr.example.com/api/oauth2/token'],
    ['https://hr.example.com/', 'https://hr.example.com/api/oauth2/token'],
    ['https://hr.example.com/tenant/a', 'https://hr.example.com/tenant/a/api/oauth2/token'],
    ['https://hr.example.com:8443/tenant//', 'https://hr.example.com:8443/tenant/api/oauth2/token'],
  ])('of %s is %s', (baseUrl, endpoint) => {
    expect(of(baseUrl)).toBe(endpoint);
    expect(of(new URL(baseUrl))).toBe(endpoint);
  });

  test('does not change the given URL', () => {
    const baseUrl = new URL('https://hr.example.com');
    of(baseUrl);

    expect(baseUrl.href).toBe('https://hr.example.com/');
  });

  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '0x7f000001', '127.255.255.254', '[::1]', '[0:0::1]'])(
    'may be plain http on loopback: %s',
    (host) => {
      expect(of(`http://${host}:4010`)).toContain('/api/oauth2/token');
    },
  );

  test.each([
    'hr.example.com',
    '10.0.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '0.0.0.0',
    '[::2]',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'notlocalhost',
  ])('must be https elsewhere: %s', (host) => {
    expect(() => of(`http://${host}`)).toThrow(expect.objectContaining({ code: 'insecure-url' }));
    expect(of(`https://${host}`)).toContain('https:');
    expect(construct({ baseUrl: `http://${host}`, allowInsecureHttp: true })).not.toThrow();
  });

  test('needs allowInsecureHttp to be exactly true', () => {
    expect(construct({ baseUrl: 'http://hr.example.com', allowInsecureHttp: 'false' })).toThrow(
      expect.objectContaining({ code: 'insecure-url' }),
    );
  });

  test('is loopback for every address of 127.0.0.0/8 and no other', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.boolean(), (address, local) => {
        const host = local ? address.replace(/^\d+/, '127') : address;
        const outcome = () => {
          try {
            return of(`http://${host}`);
          } catch (error) {
            return isAuthError(error) && error.code;
          }
        };
        expect(outcome()).toBe(host.startsWith('127.') ? `http://${host}/api/oauth2/token` : 'insecure-url');
      }),
    );
  });
});

describe('a secret function', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['throws', () => JSON.parse('s3cret') as string],
    ['rejects', () => Promise.reject(new Error('vault says s3cret'))],
    ['rejects with nothing', () => Promise.reject(undefined)],
    ['returns nothing', () => undefined as unknown as string],
    ['returns an empty text', async () => ''],
    ['returns a line break', () => 's3cret\n'],
  ])('that %s rejects, and nothing is sent', async (_, clientSecret) => {
    await using server = await tokenServer(numberedToken());

    await expect(providerFor(server, { clientSecret }).getToken()).rejects.toMatchObject({
      code: 'secret-unavailable',
      attempts: 0,
      message: expect.stringContaining('clientSecret') as string,
    });
    expect(server.requests).toHaveLength(0);
  });
});
