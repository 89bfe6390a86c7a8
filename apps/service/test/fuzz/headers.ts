import fc from 'fast-check';
import type { Scope } from '../../src/http/grant.ts';
import { SENT } from './canaries.ts';
import { mostly, printableText } from './mostly.ts';
import { placeholders } from './secrets.ts';

export type Header = readonly [name: string, value: string];

/** Lines of headers, each with values of one name: `Name: value | value`. */
function headerLines(text: string): Header[] {
  const lines = text.trim().split('\n');
  return lines.flatMap((line) => {
    const [name = '', ...values] = line.trim().split(':');
    return values
      .join(':')
      .split('|')
      .map((value): Header => [name, value.trim()]);
  });
}

const { apiToken, operatorToken, expiredToken, revokedToken, disabledToken, basic } = placeholders;

const oddAuthorizations = fc.oneof(
  fc.constantFrom(
    ...headerLines(`
      Authorization: | Bearer | Bearer ${SENT} | Bearer ../../etc | Bearer ${'x'.repeat(8000)}
      Authorization: Bearer \x80\xff | Bearer ${apiToken}x | Bearer x${apiToken} | Bearer "${apiToken}"
      Authorization: Bearer ${apiToken} ${operatorToken} | Bearer ${apiToken},${operatorToken}
      Authorization: Bearer ${expiredToken} | Bearer ${revokedToken} | Bearer ${disabledToken}
      Authorization: bearer  ${apiToken} | BEARER ${operatorToken} | ${apiToken} | Basic ${basic}
      Authorization: Digest ${SENT}
    `),
  ),
  printableText.map((text): Header => ['Authorization', `Bearer ${text}`]),
  printableText.map((text): Header => ['Authorization', text]),
);

function bearer(token: string): Header {
  return ['Authorization', `Bearer ${token}`];
}

/** Who asks: mostly who may, if that matters. */
export function authorizationsFor(scope: Scope | undefined): fc.Arbitrary<readonly Header[]> {
  const [right, other] = scope?.startsWith('operator') ? [operatorToken, apiToken] : [apiToken, operatorToken];
  return mostly<readonly Header[]>(
    fc.constant(scope === undefined ? [] : [bearer(right)]),
    12,
    fc.constant([]),
    fc.constant([bearer(other)]),
    fc.array(oddAuthorizations, { minLength: 1, maxLength: 2 }),
  );
}

const oddContentTypes = fc.constantFrom(
  ...headerLines(`
    Content-Type: | x | */* | ${SENT} | text/${SENT} | text/plain | application/json;
    Content-Type: application/JSON ; charset="utf-8" | application/json; charset=utf-16
    Content-Type: application/merge-patch+json | application/x-www-form-urlencoded
    Content-Type: multipart/form-data; boundary=x
  `),
);

/** The type of a body, mostly the right one, where there is one. */
export function contentTypesFor(type: string | undefined): fc.Arbitrary<readonly Header[]> {
  return mostly<readonly Header[]>(
    fc.constant(type === undefined ? [] : [['Content-Type', type]]),
    20,
    fc.array(oddContentTypes, { maxLength: 2 }),
  );
}

const moreHeaders: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom(
    ...headerLines(`
      Accept: application/json | */* | application/json;q=0 | text/${SENT} | ;;;,,,q=q=q
      Accept: ${'a/b,'.repeat(300)}*/*
      Accept-Encoding: gzip, br, *;q=0
      Accept-Language: ${SENT}
      Connection: close | keep-alive, Upgrade | Content-Length, ${SENT}
      Content-Encoding: gzip
      Content-Location: /etc/passwd
      Cookie: session=${SENT}
      Expect: 100-continue | ${SENT}
      Forwarded: for=${SENT}
      Idempotency-Key: | "${SENT} 2" | ${'x'.repeat(300)} | \x80\xff
      If-Match: "${SENT}"
      If-None-Match: *
      Origin: https://${SENT}
      Range: bytes=0-1
      Referer: https://${SENT}/
      TE: trailers
      Trailer: Content-Length
      Upgrade: h2c | websocket
      User-Agent: ${SENT}
      X-Forwarded-For: ${SENT}
      X-Forwarded-Host: ${SENT}
      X-HTTP-Method-Override: DELETE
      X-Request-Id: ${SENT} ! | ${'x'.repeat(65)} | \x80
      X-Odd: ${'x'.repeat(17_000)}
      traceparent: 00-${SENT}
      __proto__: ${SENT}
      constructor: ${SENT}
    `),
  ),
  fc.tuple(
    fc.constantFrom('X-Odd', 'Accept', 'Content-Type', 'Prefer', 'Date', 'From'),
    fc.oneof(printableText, fc.constant('\t\x80\xff ')),
  ),
);

/** Headers that need not be. */
export const oddHeaders: fc.Arbitrary<readonly Header[]> = mostly<readonly Header[]>(
  fc.constant([]),
  3,
  fc.array(moreHeaders, { maxLength: 4 }),
);

/** Keys of payments, a few of them again and again. */
export const idempotencyKeys: fc.Arbitrary<readonly Header[]> = mostly<readonly Header[]>(
  fc.constant([]),
  3,
  fc.nat({ max: 20 }).map((number) => [['Idempotency-Key', `${SENT}-${number}`]]),
);
