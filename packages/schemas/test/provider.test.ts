import { STATUS_CODES } from 'node:http';
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { describe, expect, test } from 'vitest';
import { operations, Problem, problemKinds, TokenError } from '../src/index.ts';
import {
  acceptedRequestId,
  bearerToken,
  checkAccept,
  checkGrantType,
  checkInputs,
  checkMediaType,
  checkRequestedScope,
  checkTimeComponent,
  clientErrorProblem,
  insufficientScope,
  invalidClient,
  invalidToken,
  OAuthError,
  problems,
  rateLimitHeaders,
  rawProblem,
  readCredentials,
  readForm,
  requiredField,
  type HttpProblem,
} from '../src/provider/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const place = { instance: '/api/v1/persons', requestId: 'r' };

describe('an error response', () => {
  test.each<[HttpProblem, number, object]>([
    [problems.invalidRequest([{ pointer: '/a', code: 'required', detail: 'is required' }]), 400, {}],
    [problems.malformedRequest(), 400, {}],
    [problems.unknownId('person'), 404, {}],
    [problems.unknownPath(), 404, {}],
    [problems.methodNotAllowed(['GET', 'POST']), 405, { allow: 'GET, POST' }],
    [problems.keyInFlight(7), 409, { 'retry-after': '7' }],
    [problems.contentTooLarge(), 413, {}],
    [problems.unsupportedMediaType(), 415, {}],
    [problems.keyReused(), 422, {}],
    [problems.internalError(), 500, {}],
    [problems.unavailable(), 503, { 'retry-after': '5' }],
    [
      problems.unavailable('It stops.', { retryAfterSeconds: 1, headers: { connection: 'close' } }),
      503,
      { connection: 'close', 'retry-after': '1' },
    ],
    [invalidToken(), 401, { 'www-authenticate': 'Bearer realm="hr-cloud", error="invalid_token"' }],
    [
      insufficientScope('operator'),
      403,
      { 'www-authenticate': 'Bearer realm="hr-cloud", error="insufficient_scope", scope="operator"' },
    ],
  ])('of the API is a problem: %s', (problem, status, headers) => {
    const body = problem.body(place);
    expect(Problem.parse(body)).toEqual(body);
    expect(body).toMatchObject({ ...place, status, title: problemKinds[problem.code].title, detail: problem.message });
    expect([problem.status, problem.headers, problem.contentType]).toEqual([
      status,
      headers,
      'application/problem+json',
    ]);
  });

  test('lists at most 50 issues, and counts all', () => {
    const issues = Array.from(
      { length: 60 },
      (_, index) => ({ pointer: `/${index}`, code: 'rule', detail: 'is odd' }) as const,
    );
    const problem = problems.invalidRequest(issues);
    expect(problem.message).toBe('/0 is odd. And 59 more, see errors.');
    expect(problem.body(place).errors).toHaveLength(50);
  });

  test('of a used-up limit has the limit', () => {
    const limit = { name: 'client', quota: 100, window: 60, remaining: 0, reset: 42 };
    expect(problems.tooManyRequests(limit).headers).toEqual({ 'retry-after': '42', ...rateLimitHeaders(limit) });
    expect(rateLimitHeaders(limit)).toEqual({
      'ratelimit-policy': '"client";q=100;w=60',
      ratelimit: '"client";r=0;t=42',
    });
    const { headers, message } = problems.tooManyRequests(
      { name: 'lists', quota: 4, remaining: 0, reset: 1 },
      'Too many lists.',
    );
    expect([headers['ratelimit-policy'], message]).toEqual(['"lists";q=4;qu="concurrent-requests"', 'Too many lists.']);
  });

  test.each<[OAuthError, number, object]>([
    [invalidClient(), 401, { 'www-authenticate': 'Basic realm="hr-cloud"' }],
    [new OAuthError('invalid_scope', 'The client has another scope.'), 400, {}],
  ])('of an OAuth endpoint is that of RFC 6749: %s', (error, status, headers) => {
    expect(TokenError.parse(error.body())).toEqual({ error: error.code, error_description: error.message });
    expect([error.status, error.headers, error.contentType]).toEqual([status, headers, 'application/json']);
  });

  test.each([
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
    ['HPE_INVALID_METHOD', '400 Bad Request'],
    [undefined, '400 Bad Request'],
  ])('to what is no request (%s) is a whole message', (code, status) => {
    const [head = '', body = ''] = rawProblem(clientErrorProblem(code), {
      requestId: 'r',
      reasons: STATUS_CODES,
    }).split('\r\n\r\n');
    const [line, ...headers] = head.split('\r\n');
    expect(line).toBe(`HTTP/1.1 ${status}`);
    expect(headers).toEqual(
      expect.arrayContaining(['connection: close', 'x-request-id: r', `content-length: ${body.length}`]),
    );
    expect(Problem.parse(JSON.parse(body)).status).toBe(Number.parseInt(status, 10));
  });
});

describe('a caller', () => {
  test.each([
    undefined,
    '',
    'text/html, Application/JSON;q=0.1',
    'application/json;charset=utf-8;q=0.5',
    '*/*;v="a,b;q=0"',
  ])('that accepts %s accepts JSON', (accept) => {
    expect(() => checkAccept(accept)).not.toThrow();
  });

  test.each(['*/*;q=0', '*/*, application/json;q=0', 'application/problem+json', `${'a/b,'.repeat(300)}*/*`])(
    'that accepts %.40s does not',
    (accept) => {
      expect(() => checkAccept(accept)).toThrow('Accept application/json.');
    },
  );
});

describe('a body', () => {
  const headers = { contentType: 'application/json', contentEncoding: undefined, hasBody: true };

  test.each([
    headers,
    { ...headers, contentType: 'Application/JSON; charset="UTF-8"' },
    { ...headers, contentEncoding: 'Identity' },
  ])('of %j is accepted', (sent) => {
    expect(() => checkMediaType(operations.updatePerson.body, sent)).not.toThrow();
  });

  test.each([
    { ...headers, contentType: undefined },
    { ...headers, contentType: 'application/merge-patch+json' },
    { ...headers, contentType: 'application/json; charset=latin1' },
    { ...headers, contentEncoding: 'gzip' },
    { ...headers, contentType: null, hasBody: false },
  ])('of %j is rejected, unless the operation takes none', (sent) => {
    expect(() => checkMediaType(operations.updatePerson.body, sent)).toThrow('Send the body as application/json');
    expect(() => checkMediaType(undefined, sent)).not.toThrow();
  });

  test('may be missing where the model says so', () => {
    const sent = { ...headers, contentType: null, hasBody: false };
    expect(() => checkMediaType(operations.updatePerson.body.optional(), sent)).not.toThrow();
  });
});

describe('the inputs of a request', () => {
  const sent = {
    path: { contractId: '1-77' },
    query: 'billingPeriod=2026-01',
    idempotencyKey: 'k',
    body: bytes('{"compensationComponentId":"BONUS","amount":1}'),
  };

  test('are read', () => {
    expect(checkInputs(operations.submitVariablePayment, sent)).toEqual({
      path: { contractId: '1-77' },
      query: { billingPeriod: '2026-01' },
      body: { compensationComponentId: 'BONUS', amount: 1 },
      idempotencyKey: 'k',
    });
    const { body, idempotencyKey } = checkInputs(operations.listPersons, { ...sent, path: {}, query: '' });
    expect([body, idempotencyKey]).toEqual([undefined, undefined]);
  });

  test('are rejected with all issues', () => {
    const wrong = { ...sent, query: 'x=1', body: bytes('{}') };
    expect(() => checkInputs(operations.submitVariablePayment, wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        message: '/x is not known here; allowed: billingPeriod. And 2 more, see errors.',
      }),
    );
  });

  test('are rejected when the query is not percent-encoded UTF-8', () => {
    expect(() => checkInputs(operations.listPersons, { ...sent, query: '%ff' })).toThrow('The query is not valid');
  });
});

test('an older time component is rejected', () => {
  expect(() => checkTimeComponent('63.11.20')).not.toThrow();
  expect(() => checkTimeComponent('63.11.9')).toThrow(
    expect.objectContaining({
      code: 'time-component-version',
      members: { installed: '63.11.9', required: '63.11.20' },
    }),
  );
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
])('%s has a token', (authorization, token) => {
  expect(bearerToken(authorization)).toBe(token);
});

test.each([undefined, null, '', 'Basic abc', 'Bearer', 'Bearer a b'])('%s has no token', (authorization) => {
  expect(() => bearerToken(authorization)).toThrow(
    expect.objectContaining({ code: 'unauthorized', headers: { 'www-authenticate': 'Bearer realm="hr-cloud"' } }),
  );
});

describe('a form', () => {
  const type = 'application/x-www-form-urlencoded';

  test('is read without its empty fields', () => {
    expect(readForm(`${type}; charset=UTF-8`, bytes('a=1&b=&c=x+y'))).toEqual(
      new Map([
        ['a', '1'],
        ['c', 'x y'],
      ]),
    );
  });

  test.each([
    ['application/json', 'a=1'],
    [`${type}; charset=latin1`, 'a=1'],
    [undefined, 'a=1'],
    [type, 'a=1&a=2'],
    [type, 'a=%ff'],
  ])('of %s %s is rejected', (contentType, text) => {
    expect(() => readForm(contentType, bytes(text))).toThrow('Send application/x-www-form-urlencoded in UTF-8');
  });

  test('lacks a field', () => {
    expect(requiredField(new Map([['token', 't']]), 'token')).toBe('t');
    expect(() => requiredField(new Map(), 'token')).toThrow('token is missing.');
  });

  test('asks for a grant and a scope', () => {
    expect(() => checkGrantType(new Map([['grant_type', 'client_credentials']]))).not.toThrow();
    expect(() => checkGrantType(new Map([['grant_type', 'password']]))).toThrow('The only grant_type is');
    expect(checkRequestedScope(new Map(), ['api:use'])).toBe('api:use');
    const granted = ['operator', 'operator:read'] as const;
    expect(() => checkRequestedScope(new Map(), granted)).toThrow(
      'The client has the scope operator; no scope asks for api:use.',
    );
    for (const scope of granted) expect(checkRequestedScope(new Map([['scope', scope]]), granted)).toBe(scope);
    expect(() => checkRequestedScope(new Map([['scope', granted.join(' ')]]), granted)).toThrow('has the scope');
  });
});

describe('the credentials of a client', () => {
  test('come from the form or as Basic, not both', () => {
    const form = new Map([
      ['client_id', 'a'],
      ['client_secret', 'b'],
    ]);
    expect(readCredentials(null, form)).toEqual({ clientId: 'a', clientSecret: 'b' });
    expect(readCredentials('Basic ', new Map())).toEqual({ clientId: '', clientSecret: '' });
    expect(() => readCredentials('Basic YTpi', form)).toThrow('not both');
  });

  test('as Basic are form-encoded, then base64', () => {
    const text = fc.string({ unit: anyCharacter, minLength: 1 });
    const property = fc.property(text, text, fc.boolean(), (clientId, clientSecret, isPadded) => {
      const encoded = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString(
        'base64',
      );
      const authorization = `Basic ${isPadded ? encoded : encoded.replace(/=+$/, '')}`;
      expect(readCredentials(authorization, new Map())).toEqual({ clientId, clientSecret });
    });
    fc.assert(property);
  });

  test('of whatever Basic are read as Node reads base64', () => {
    const property = fc.property(fc.stringMatching(/^[A-Za-z\d+/]{1,9}={0,2}$/), (encoded) => {
      const text = Buffer.from(encoded, 'base64').toString();
      fc.pre(!/[%+\uFFFD]/.test(text));
      const [clientId, ...secret] = text.split(':');
      expect(readCredentials(`Basic ${encoded}`, new Map())).toEqual({ clientId, clientSecret: secret.join(':') });
    });
    fc.assert(property);
  });
});

test.each([
  ['01890A5D-ac96-774b-bcce-b302099a8057', '01890A5D-ac96-774b-bcce-b302099a8057'],
  ['run-7', undefined],
  ['{01890a5d-ac96-774b-bcce-b302099a8057}', undefined],
  ['01890a5dac96774bbcceb302099a8057', undefined],
  ['', undefined],
  [null, undefined],
  ['a b', undefined],
  ['x'.repeat(65), undefined],
])('the request id %.10s is %s', (sent, accepted) => {
  expect(acceptedRequestId(sent)).toBe(accepted);
});
