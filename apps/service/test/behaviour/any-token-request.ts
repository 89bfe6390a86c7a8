import type { CaseRequest } from '@hr/testing/conform';
import fc from 'fast-check';
import { mostly } from '../fuzz/mostly.ts';
import { clients } from './any-states.ts';

/** A field of a form, mostly there once and right, or only encoded wrongly. */
function field(name: string, ...usual: readonly string[]): fc.Arbitrary<readonly string[]> {
  const right = fc.constantFrom(...usual).map(encodeURIComponent);
  const value = mostly(right, 12, fc.constantFrom('', 'x', '%ff', 'a+b', 'password'));
  const once = value.map((text) => [`${name}=${text}`]);
  return mostly<readonly string[]>(once, 12, fc.constantFrom([], [`${name}=x`, `${name}=x`]));
}

const ids = clients.map(({ clientId }) => clientId);
const secrets = clients.map(({ clientSecret }) => clientSecret);
const grant = field('grant_type', 'client_credentials');
const scope = field('scope', 'api:use', 'operator', '');

const credentials = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...secrets)).map(([id, secret]) => {
  const encoded = [id, secret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
});

const inForm = fc.record({
  body: fc
    .tuple(grant, scope, field('client_id', ...ids), field('client_secret', ...secrets))
    .map((pairs) => pairs.flat().join('&')),
  authorization: mostly<string | undefined>(fc.constant(undefined), 8, credentials, fc.constant('Bearer x')),
});
const inHeader = fc.record({
  body: fc.tuple(grant, scope).map((pairs) => pairs.flat().join('&')),
  authorization: mostly<string | undefined>(credentials, 8, fc.constantFrom('Basic', 'Basic !', undefined)),
});
const type = mostly(
  fc.constant('application/x-www-form-urlencoded'),
  12,
  fc.constantFrom('application/json', 'text/plain'),
);

/** Requests for tokens, many of them good where the clients are there. */
export const anyTokenRequest: fc.Arbitrary<CaseRequest> = fc
  .tuple(fc.oneof(inForm, inHeader), type)
  .map(([{ body, authorization }, contentType]) => [
    'POST /api/oauth2/token',
    { body, token: 'none', headers: { authorization, 'content-type': contentType } },
  ]);
