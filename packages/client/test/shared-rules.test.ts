import { readFile } from 'node:fs/promises';
import { clientCredentials } from '@hr/auth';
import { expect, test } from 'vitest';
import { createHrClient } from '../src/index.ts';

test.each(['shared-rules.ts', 'network-fault.ts'])('%s is the same in both packages', async (file) => {
  const [own, other] = await Promise.all(
    ['../src', '../../auth/src'].map((folder) => readFile(new URL(`${folder}/${file}`, import.meta.url), 'utf8')),
  );
  expect(own).toBe(other);
});

/** What the error of a constructor says; undefined if it accepts its options. */
function faultOf(construct: (options: object) => unknown, options: object): string | undefined {
  try {
    construct(options);
    return undefined;
  } catch (error) {
    return `${(error as { readonly code: string }).code} ${(error as Error).message}`;
  }
}

const constructors = [
  (options: object) => createHrClient({ baseUrl: 'https://hr.example.com', auth: () => 'x', ...options }),
  (options: object) =>
    clientCredentials({ baseUrl: 'https://hr.example.com', clientId: 'a', clientSecret: 'b', ...options }),
];

const noAddress = /^invalid-option baseUrl must be an absolute http or https address without user, password, query and/;

test.each<[options: object, fault: RegExp | undefined]>([
  [{ baseUrl: 'https://hr.example.com/tenant/' }, undefined],
  [{ baseUrl: new URL('https://hr.example.com') }, undefined],
  [{ baseUrl: 'http://127.9.8.7:4010' }, undefined],
  [{ baseUrl: 'http://[::1]:4010' }, undefined],
  [{ baseUrl: 'http://hr.example.com', allowInsecureHttp: true }, undefined],
  [
    { baseUrl: 'http://hr.example.com' },
    /^insecure-url .* would travel unencrypted to hr\.example\.com\. Use https, or/,
  ],
  [{ baseUrl: 'http://hr.example.com', allowInsecureHttp: 'yes' }, /^insecure-url /],
  [{ baseUrl: 'http://128.0.0.1' }, /^insecure-url /],
  [{ baseUrl: 'hr.example.com' }, noAddress],
  [{ baseUrl: 'ftp://hr.example.com' }, noAddress],
  [{ baseUrl: 'https://user:pa55@hr.example.com' }, noAddress],
  [{ baseUrl: 'https://hr.example.com?a=b' }, noAddress],
  [{ baseUrl: 'https://hr.example.com#a' }, noAddress],
  [
    { baseUrl: 'https://hr.example.com/api/v1' },
    /^invalid-option baseUrl must not contain \/api\/v1, which is added\./,
  ],
  [{ timeOut: 1 }, /^invalid-option \w+ has an unknown option, timeOut\. The options are baseUrl, /],
  [{ timeout: 2 ** 31 }, /^invalid-option timeout must be /],
  [{ fetch: 'fetch' }, /^invalid-option fetch must be a function/],
])('both packages judge options alike: %j', (options, fault) => {
  for (const construct of constructors) {
    expect(faultOf(construct, options) ?? 'accepted').toMatch(fault ?? /^accepted$/);
  }
});
