import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { INTROSPECTION_PATH, METADATA_PATH, REVOCATION_PATH, TOKEN_PATH } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueToken } from '../src/clients/access-tokens.ts';
import { disableClient } from '../src/clients/clients.ts';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import type { Route } from '../src/http/route.ts';
import { ADVISORY_LOCKS, anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { newToken, sendForm, inForm } from './oauth-form.ts';
import { serverAddresses } from './server-addresses.ts';
import { startService } from './service.ts';
import type { Answer, TestService } from './service.ts';
import { loadKnown, pathParametersOf, pathWith, validRequest, validParameter, wireName } from './valid-request.ts';
import type { KnownIds, ValidRequest } from './valid-request.ts';

const routes = [...apiRoutes, ...operatorRoutes];
const named = (chosen: readonly Route[]): [string, Route][] => chosen.map((route) => [route.id, route]);
const routesWithBody = routes.filter(({ body }) => body);
const takesNoBody = ({ body }: Route): boolean => body?.safeParse(undefined).success ?? true;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'];

/** What takes a form. */
const formPaths = [TOKEN_PATH, REVOCATION_PATH, INTROSPECTION_PATH];
/** What needs no token. */
const publicPaths = ['/openapi.json', METADATA_PATH, '/livez', '/readyz'];

const MOST_BODY_BYTES = 1024 * 1024;
const MOST_FORM_BYTES = 16 * 1024;
const payments = '/api/v1/payrollContract/c-1/variable-payments';
const noToken = { authorization: '' };

const ANY_ID = 'any-id';
const withAnyId = (address: string): string => address.replaceAll(/\{\w+\}/g, ANY_ID);

interface Asked {
  readonly answer: Answer;
  readonly path: string;
  readonly body?: unknown;
}

// The rows of the table in docs/decisions/errors.md, for every operation there is. That the database is gone is in
// database-gone.test.ts; what stops, and what breaks after its first byte, in http-lists.test.ts. Errors of
// most kinds are checked on both databases by behaviour.test.ts.
describe.each(anyDriver)('errors on %s', (driver) => {
  let service: TestService;
  let known: KnownIds;

  beforeAll(async () => {
    service = await startService(driver);
    known = await loadKnown(service);
  });
  afterAll(() => service.stop());

  /** Sends what a route takes, but for what is given. */
  async function ask(
    route: Route,
    change: Partial<ValidRequest> & { readonly headers?: Record<string, string> } = {},
  ): Promise<Asked> {
    const valid = validRequest(route, known);
    const {
      method,
      path: address,
      query,
      body,
      headers,
    } = {
      ...valid,
      ...change,
      headers: { ...valid.headers, ...change.headers },
    };
    const path = address + query;
    const sent = body !== undefined && { body };
    return { path, ...sent, answer: await service.send(method, path, { scope: route.scopes[0], headers, ...sent }) };
  }

  /** Tokens of a scope that were valid: expired, revoked, and of a client that is disabled. */
  async function endedTokensOf(scope: Route['scopes'][0]): Promise<string[]> {
    const [client, disabled] = [await service.client(scope), await service.client(scope)];
    const expired = await issueToken(service.database, { ...client, lifetimeSeconds: 0, requestId: 'r-1' });
    const tokens = [await newToken(service, client), await newToken(service, disabled)];
    await sendForm(service, 'revoke', { token: tokens[0] ?? '', ...inForm(client) });
    await disableClient(service.database, disabled.clientId);
    return [String(expired?.token), ...tokens];
  }
  const endedTokens = new Map<Route['scopes'][0], Promise<string[]>>();

  const pay = (key: string, amount: number): Promise<Answer> =>
    service.send('POST', `${payments}?billingPeriod=2026-01`, {
      headers: { 'idempotency-key': key },
      body: { compensationComponentId: 'BONUS', amount },
    });

  describe('400', () => {
    const inPaths = routes.flatMap((route) =>
      pathParametersOf(route).map((name): [string, string, Route] => [route.id, name, route]),
    );
    test.each(inPaths)('%s: a {%s} of the path that cannot be', async (_, name, route) => {
      const faults = [
        ['x'.repeat(256), [`/${name} too-long`]],
        [encodeURIComponent('😀'.repeat(256)), [`/${name} too-long`]],
        ['a%00b', [`/${name} wrong-format`]],
        ['%ff', undefined],
        ['%ed%a0%80', undefined],
        ['%', undefined],
        ['%zz', undefined],
      ] as const;
      for (const [id, errors] of faults) {
        const path = pathWith(route, { ...known, [name]: '{}' }).replace('%7B%7D', id);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path: sent } = await ask(route, { path });
        const problem = expectProblem(answer, 'invalid-request', { path: sent });
        expect(problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(errors);
      }
    });

    const inQueries = routes.flatMap((route) =>
      Object.keys(route.query.shape).map((name): [string, string, Route] => [route.id, wireName(route, name), route]),
    );
    test.each(inQueries)('%s: a parameter %s of the query that cannot be', async (_, name, route) => {
      const pair = `${name}=${validParameter(route, name)}`;
      const others = validRequest(route, known)
        .query.slice(1)
        .split('&')
        .filter((one) => !one.startsWith(`${name}=`));
      const faults = [
        [name, [`/${name}`]],
        [`${name}=`, [`/${name}`]],
        [`${pair}%00`, [`/${name}`]],
        [`${pair}&${pair}`, [`/${name}`]],
        [`${name}=%ff`, undefined],
        [`${name}=%`, undefined],
      ] as const;
      for (const [fault, pointers] of faults) {
        const query = `?${[...others, fault].join('&')}`;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path } = await ask(route, { query });
        const { errors } = expectProblem(answer, 'invalid-request', { path });
        expect(errors && [...new Set(errors.map(({ pointer }) => pointer))]).toEqual(pointers);
      }
    });

    const withRequired = routes.filter((route) => validRequest(route, {}).query !== '');
    test.each(named(withRequired))('%s: without a parameter that is required', async (_, route) => {
      const { answer, path } = await ask(route, { query: '' });
      const { errors } = expectProblem(answer, 'invalid-request', { path });
      const names = [...new URLSearchParams(validRequest(route, known).query).keys()];
      expect(errors).toEqual(names.map((name) => expect.objectContaining({ pointer: `/${name}`, code: 'required' })));
    });

    const periods = routes.filter(({ query }) => 'from' in query.shape && 'to' in query.shape);
    test.each(named(periods))('%s: a period whose end is before its beginning', async (_, route) => {
      const [from, to] = [wireName(route, 'from'), wireName(route, 'to')];
      const day = validParameter(route, from).length > 'YYYY-MM'.length ? '-01' : '';
      const { answer, path } = await ask(route, { query: `?${from}=2026-02${day}&${to}=2026-01${day}` });
      const { errors } = expectProblem(answer, 'invalid-request', { path });
      expect(errors).toEqual([{ pointer: `/${from}`, code: 'rule', detail: 'must not be after the end' }]);
    });

    test.each(named(routes))('%s: an unknown parameter, and what there is', async (_, route) => {
      const { query } = validRequest(route, known);
      const { answer, path } = await ask(route, { query: `${query || '?'}&shoe/Size=43` });
      const { errors } = expectProblem(answer, 'invalid-request', { path });
      expect(errors).toMatchObject([{ pointer: '/shoe~1Size', code: 'unknown-name' }]);
      for (const name of Object.keys(route.query.shape)) expect(errors?.[0]?.detail).toContain(wireName(route, name));
    });

    test.each(named(routesWithBody))('%s: a body that is not its JSON', async (_, route) => {
      const faults = [
        ['{', 'wrong-format'],
        ['{} {}', 'wrong-format'],
        ["{'a': 1}", 'wrong-format'],
        ['nul', 'wrong-format'],
        [Buffer.from([0x22, 0xff, 0x22]), 'wrong-format'],
        [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'wrong-format'],
        [Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 'wrong-format'],
        [Buffer.from('{}', 'utf16le'), 'wrong-format'],
        ['null', 'wrong-type'],
        ['[]', 'wrong-type'],
        ['"x"', 'wrong-type'],
        ['1', 'wrong-type'],
        ['true', 'wrong-type'],
      ] as const;
      for (const [body, code] of faults) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path } = await ask(route, { body });
        const { errors } = expectProblem(answer, 'invalid-request', { path });
        expect(errors).toMatchObject([{ pointer: '', code }]);
      }
    });

    test('of very many faults only some are answered', async () => {
      const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x${index}`, 1]));
      const path = '/api/v1/persons/p-1';
      const answer = await service.send('PATCH', path, { body });
      const { detail, errors } = expectProblem(answer, 'invalid-request', { path, body });
      expect([detail, errors?.length]).toEqual([expect.stringMatching(/^\/x0 is .* And 9999 more, see errors\.$/), 50]);
    });
  });

  describe('401', () => {
    const CHALLENGE = 'Bearer realm="hr-cloud"';
    const INVALID = `${CHALLENGE}, error="invalid_token"`;

    test.each(named(routes))('%s without a token that is valid', async (_, route) => {
      const [scope] = route.scopes;
      const token = await service.token(scope);
      const ended = endedTokens.get(scope) ?? endedTokensOf(scope);
      endedTokens.set(scope, ended);
      const authorizations = [
        ['', CHALLENGE],
        ['Bearer', CHALLENGE],
        ['Basic YTpi', CHALLENGE],
        [token, CHALLENGE],
        [`Basic ${token}`, CHALLENGE],
        [`Bearer ${token} ${token}`, CHALLENGE],
        [`Bearer ${token}, Bearer ${token}`, CHALLENGE],
        ['Bearer x', INVALID],
        [`Bearer ${token}x`, INVALID],
        [`Bearer ${token.toUpperCase()}`, INVALID],
        [`Bearer "${token}"`, INVALID],
        ...(await ended).map((one) => [`Bearer ${one}`, INVALID] as const),
      ] as const;
      for (const [authorization, challenge] of authorizations) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path } = await ask(route, { headers: { authorization } });
        expectProblem(answer, 'unauthorized', { path });
        expect(answer.headers.get('www-authenticate')).toBe(challenge);
      }
    });
  });

  test.each(named(routes))('403: %s with a token of the other scope', async (_, route) => {
    const other = route.scopes[0] === 'api:use' ? 'operator' : 'api:use';
    const { answer, path } = await ask(route, { headers: { authorization: `Bearer ${await service.token(other)}` } });
    expectProblem(answer, 'forbidden', { path });
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="hr-cloud", error="insufficient_scope", scope="${route.scopes[0]}"`,
    );
  });

  describe('404', () => {
    const owned = routes.filter((route) => pathParametersOf(route).length > 0);
    test.each(named(owned))('%s of what is unknown', async (_, route) => {
      const ids = Object.fromEntries(pathParametersOf(route).map((name) => [name, 'nobody/%2F 😀']));
      const { answer, path } = await ask(route, { path: pathWith(route, ids) });
      expectProblem(answer, 'not-found', { path });
    });

    test('beside every address there is', async () => {
      const addresses = [...serverAddresses(service.server).keys()].map(withAnyId);
      for (const address of addresses) {
        const beside = [`${address}/`, `${address}/-/-/-`, `/x${address}`, `/${address}`, address.toUpperCase()];
        const wrong = [...beside, address.replace(ANY_ID, '')].filter((path) => !addresses.includes(path));
        for (const path of wrong) {
          for (const method of ['GET', 'POST', 'PATCH']) {
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            const answer = await service.send(method, path, { headers: noToken });
            expectProblem(answer, 'not-found', { path });
          }
        }
      }
    });

    test.each(['/', '/api', '/api/v1', '/api/v1/nothing', '/operator', '/operator/v1', '/favicon.ico'])(
      '%s',
      async (path) => {
        expectProblem(await service.send('GET', path, { headers: noToken }), 'not-found', { path });
      },
    );
  });

  test('405: every address with every other method', async () => {
    for (const [address, allowed] of serverAddresses(service.server)) {
      const path = withAnyId(address);
      const allow = allowed.join(', ');
      for (const method of methods.filter((one) => !allowed.includes(one))) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const answer = await service.send(method, path, { headers: { ...noToken, origin: 'https://example.com' } });
        expect([path, method, answer.headers.get('allow')]).toEqual([path, method, allow]);
        expectProblem(answer, 'method-not-allowed', { path });
      }
      // oxlint-disable-next-line no-await-in-loop
      const { status, headers, body } = await service.send('HEAD', path);
      expect([path, status, headers.get('allow'), body]).toEqual([path, 405, allow, '']);
    }
  });

  describe('406', () => {
    const refusing = [
      'text/html',
      'application/xml',
      'application/json;q=0, */*',
      '*/*; q=0',
      'application/problem+json',
      'x',
    ];
    test.each(named(routes))('%s for who takes no JSON', async (_, route) => {
      for (const accept of refusing) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path } = await ask(route, { headers: { accept } });
        expectProblem(answer, 'not-acceptable', { path });
      }
    });

    test.each([...publicPaths, ...formPaths])('%s for who takes no JSON', async (path) => {
      const method = formPaths.includes(path) ? 'POST' : 'GET';
      const answer = await service.send(method, path, { headers: { ...noToken, accept: 'text/html' } });
      expectProblem(answer, 'not-acceptable', { path });
    });

    test.each([
      'text/html, application/*;q=0.1',
      'application/json; charset=utf-8',
      'application/json;profile="a;b,c";q=0.5',
      '',
    ])('is not for %j', async (accept) => {
      expect((await service.send('GET', '/livez', { headers: { accept } })).status).toBe(200);
    });
  });

  describe('413', () => {
    test.each(named(routesWithBody))('%s with a body over 1 MiB', async (_, route) => {
      const { answer, path } = await ask(route, { body: `"${'x'.repeat(MOST_BODY_BYTES - 1)}"` });
      expectProblem(answer, 'content-too-large', { path });
    });

    test.each(formPaths)('%s with a form over 16 KiB', async (path) => {
      const headers = { ...noToken, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await service.send('POST', path, { headers, body: 'x'.repeat(MOST_FORM_BYTES + 1) });
      expectProblem(answer, 'content-too-large', { path });
    });

    test.each([
      ['with its length', 'Content-Length: 20000000', (chunk: Buffer) => [chunk], ''],
      [
        'in chunks',
        'Transfer-Encoding: chunked',
        (chunk: Buffer) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n'],
        '0\r\n\r\n',
      ],
    ])('is read by who sends 20 MB %s before he reads', async (_, framing, frame, end) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      const authorization = `Authorization: Bearer ${await service.token()}`;
      socket.write(`PATCH /api/v1/persons/p-1 HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`);
      socket.write(`Content-Type: application/json\r\n${framing}\r\n\r\n`);
      for (let sent = 0; sent < 20; sent++) {
        for (const bytes of frame(Buffer.alloc(1_000_000, 'x'))) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          if (!socket.write(bytes)) await once(socket, 'drain');
        }
      }
      socket.write(`${end}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*connection: close.*content-too-large[^}]*\}$/s);
    });
  });

  describe('412', () => {
    test.each(named(routesWithBody))('%s with a precondition that cannot hold', async (_, route) => {
      for (const headers of [{ 'if-match': '"a"' }, { 'if-match': 'W/"a", *' }, { 'if-none-match': '*' }]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path, body } = await ask(route, { headers });
        expectProblem(answer, 'precondition-failed', { path, body });
      }
    });

    test('is no status where the precondition holds, has no meaning, or is of a read', async () => {
      const path = '/api/v1/persons/p-1';
      for (const headers of [
        { 'if-match': '*' },
        { 'if-none-match': '"a"' },
        { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
      ]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect((await service.send('PATCH', path, { headers, body: {} })).status).toBe(200);
      }
      expect((await service.send('GET', '/api/v1/persons', { headers: { 'if-match': '"a"' } })).status).toBe(200);
    });
  });

  describe('415', () => {
    const json = 'application/json';
    test.each(named(routesWithBody))('%s with a body of another type', async (_, route) => {
      const headers = [
        { 'content-type': 'application/merge-patch+json' },
        { 'content-type': 'application/json-patch+json' },
        { 'content-type': `${json}; charset=latin1` },
        { 'content-type': `${json}; charset=utf-16` },
        { 'content-type': `${json}x` },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'text/plain' },
        { 'content-type': '' },
        { 'content-type': json, 'content-encoding': 'gzip' },
        { 'content-type': json, 'content-encoding': 'identity, br' },
      ];
      for (const each of headers) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { answer, path } = await ask(route, { headers: each });
        expectProblem(answer, 'unsupported-media-type', { path });
      }
    });

    const needBody = routesWithBody.filter((route) => !takesNoBody(route));
    test.each(named(needBody))('%s without a body', async (_, route) => {
      const { answer, path } = await ask(route, { body: undefined });
      expectProblem(answer, 'unsupported-media-type', { path });
    });

    test.each([
      { 'content-type': 'Application/JSON;charset="UTF-8"', 'content-encoding': 'identity' },
      { 'content-type': 'application/json; profile=x; charset=UTF-8' },
    ])('is not for %j', async (headers) => {
      expect((await service.send('PATCH', '/api/v1/persons/p-1', { headers, body: {} })).status).toBe(200);
    });
  });

  test.each([
    ['an address', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['headers', `GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
  ])('431: %s over 16 KiB', async (_, bytes) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const [start = '', ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
    const status = Number(start.split(' ')[1]);
    expectProblem({ status, headers, body: JSON.parse(body) }, 'headers-too-large', {});
  });

  describe('409', () => {
    test.each(['approve', 'reject'])('%s of a payment that is decided', async (verb) => {
      const path = `/operator/v1/variable-payments/${known['paymentId']}/${verb}`;
      await service.send('POST', path, { scope: 'operator' });
      expectProblem(await service.send('POST', path, { scope: 'operator' }), 'already-decided', { path });
    });

    // The embedded database has one connection, on which a request waits for the one before it.
    test.runIf(driver === 'postgres')('a key that is in flight', async () => {
      let first: Promise<Answer> | undefined;
      await service.database.transaction(async (transaction) => {
        await transaction.query('lock table variable_payment in share mode');
        first = pay('in-flight', 1);
        await expect.poll(() => transaction.query(ADVISORY_LOCKS)).toHaveLength(1);
        expectProblem(await pay('in-flight', 1), 'idempotency-key-in-flight', { path: payments });
      });
      expect((await first)?.status).toBe(200);
    });
  });

  test('422: a key that was used for another payment', async () => {
    expect((await pay('reused', 1)).status).toBe(200);
    expectProblem(await pay('reused', 2), 'idempotency-key-reused', { path: payments });
  });
});

describe('errors with an old time component', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService('postgres', { HR_TIME_COMPONENT_VERSION: '63.11.9' });
  });
  afterAll(() => service.stop());

  test.each(named(routes.filter(({ timeComponent }) => timeComponent)))('409: %s', async (_, route) => {
    const path = pathWith(route, { personId: 'nobody' });
    const problem = expectProblem(await service.send(route.method, path), 'time-component-version', { path });
    expect(problem).toMatchObject({ installed: '63.11.9', required: '63.11.20' });
  });
});

describe('errors where changes are no longer kept', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService('postgres', { HR_TIME_ZONE: 'Pacific/Auckland' });
    await loadKnown(service);
    await service.database.query(
      `insert into change_history values (timestamp '2026-03-02' at time zone 'Pacific/Auckland')`,
    );
  });
  afterAll(() => service.stop());

  test.each(named(routes.filter((route) => 'changedSince' in route.query.shape)))('410: %s', async (_, route) => {
    const known = { personId: 'nobody' };
    const path = pathWith(route, known);
    const answer = await service.send(route.method, `${path}?changedSince=2026-03-01`);
    expect(expectProblem(answer, 'changes-expired', { path })).toMatchObject({ keptSince: '2026-03-02' });
    const kept = await service.send(route.method, `${path}?changedSince=2026-03-02`);
    expect(kept.status).toBe(path.includes('nobody') ? 404 : 200);
  });
});

describe('errors where a client may ask once a minute', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService('postgres', { HR_RATE_LIMIT: '1' });
  });
  afterAll(() => service.stop());

  test.each(named(routes))('429: %s the second time', async (_, { method, path: address, scopes: [scope] }) => {
    const path = withAnyId(address);
    const headers = { authorization: `Bearer ${await newToken(service, await service.client(scope))}` };
    const first = await service.send(method, path, { headers });
    expect(first.status).not.toBe(429);
    const second = await service.send(method, path, { headers });
    expectProblem(second, 'too-many-requests', { path });
    expect(Object.fromEntries(second.headers)).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-5]?\d$|^60$/) as string,
      ratelimit: expect.stringMatching(/^"client";r=0;t=\d+$/) as string,
      'ratelimit-policy': '"client";q=1;w=60',
    });
  });
});
