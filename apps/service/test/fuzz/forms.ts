import fc from 'fast-check';
import { SENT } from './canaries.ts';
import { mostly, wordsOf } from './mostly.ts';
import { placeholders } from './secrets.ts';

const { clientId, clientSecret, operatorId, operatorSecret, spareToken, operatorToken } = placeholders;

const odd = fc.oneof(
  fc.constantFrom('', 'x'.repeat(300)),
  wordsOf(`${SENT} % %00 %ff %F0%9F%98%80 + %0d%0a '-- __proto__`),
);

/** Mostly the first of these. */
function field(usual: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return mostly(fc.constant(usual), 4, fc.constantFrom(usual, ...others), odd);
}

const fields: Readonly<Record<string, fc.Arbitrary<string>>> = {
  grant_type: field('client_credentials', 'password'),
  client_id: field(clientId, operatorId),
  client_secret: field(clientSecret, operatorSecret),
  scope: field('api:use', 'operator', 'api%3Ause'),
  // No token by which other requests are made: its own client could end it.
  token: field(spareToken, operatorToken),
  token_type_hint: field('access_token', 'refresh_token'),
};

const complete = ['grant_type', 'client_id', 'client_secret', 'token'];
const some = fc
  .tuple(mostly(fc.constant(complete), 3, fc.subarray(Object.keys(fields))), fc.record(fields))
  .map(([names, values]) => names.map((name) => `${name}=${values[name]}`).join('&'));

const noForms = fc.oneof(
  wordsOf(`& = % {} \xFF\xFE ${SENT}=${SENT} ${'x'.repeat(17_000)} ${'&'.repeat(9000)}`),
  fc.constant(''),
);

/** Forms for the endpoints of OAuth. */
export const forms: fc.Arbitrary<string> = mostly(
  some,
  6,
  some.map((form) => `${form}&${form}`),
  noForms,
);
