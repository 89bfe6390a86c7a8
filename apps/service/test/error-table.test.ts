import {
  INTROSPECTION_PATH,
  METADATA_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
  type Problem,
  type ProblemKind,
} from '@hr/schemas';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { issueToken } from '../src/clients/access-tokens.ts';
import { disableClient } from '../src/clients/clients.ts';
import { DatabaseBusyError, DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import type { Route } from '../src/http/route.ts';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { newToken, sendForm, inForm } from './oauth-form.ts';
import { serverAddresses } from './server-addresses.ts';
import { sharedService, startService, type Answer } from './service.ts';
import {
  loadKnown,
  pathParametersOf,
  pathWith,
  validRequest,
  validParameter,
  wireName,
  type KnownIds,
  type ValidRequest,
} from './valid-request.ts';

const routes = [...apiRoutes, ...operatorRoutes];
const named = (chosen: readonly Route[]): [string, Route][] => chosen.map((route) => [route.id, route]);
const routesWithBody = routes.filter(({ body }) => body);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'];

/** What takes a form. */
const formPaths = [TOKEN_PATH, REVOCATION_PATH, INTROSPECTION_PATH];
/** What needs no token. */
const publicPaths = ['/openapi.json', METADATA_PATH, '/livez', '/readyz'];

const MOST_BODY_BYTES = 1024 * 1024;
const MOST_FORM_BYTES = 16 * 1024;
const noToken = { authorization: '' };

const ANY_ID = 'any-id';
const withAnyId = (address: string): string => address.replaceAll(/\{\w+\}/g, ANY_ID);

type Change = Partial<ValidRequest>;

interface Refusal {
  readonly answer: Answer;
  readonly problem: Problem;
}

const faultsOf = ({ problem: { errors } }: Refusal): string[] | undefined =>
  errors?.map(({ pointer, code }) => `${pointer} ${code}`);

/** With these headers, one after the other. */
const withHeaders = (name: string, ...values: readonly string[]): Change[] =>
  values.map((value) => ({ headers: { [name]: value } }));

const refusedTypes = ['merge-patch+json', 'json-patch+json', 'jsonx', 'json; charset=latin1', 'json; charset=utf-16'];
const otherTypes = [
  ...withHeaders('content-type', ...refusedTypes.map((type) => `application/${type}`)),
  ...withHeaders('content-type', 'application/x-www-form-urlencoded', 'text/plain', ''),
  ...withHeaders('content-encoding', 'gzip', 'identity, br'),
];
const neverHolds = [...withHeaders('if-match', '"a"', 'W/"a", *'), ...withHeaders('if-none-match', '*')];
const noJson = withHeaders('accept', 'text/html', 'application/json;q=0, */*', 'application/problem+json');
const needBody = routesWithBody.filter(({ body }) => !body?.safeParse(undefined).success);
const tooLarge = [{ body: `"${'x'.repeat(MOST_BODY_BYTES - 1)}"` }];
const refusedByEach: readonly [ProblemKind, string, readonly Route[], readonly Change[]][] = [
  ['not-acceptable', 'for who takes no JSON', routes, noJson],
  ['unsupported-media-type', 'with a body of another type', routesWithBody, otherTypes],
  ['unsupported-media-type', 'without a body', needBody, [{ body: undefined }]],
  ['content-too-large', 'with a body over 1 MiB', routesWithBody, tooLarge],
  ['precondition-failed', 'with a precondition that cannot hold', routesWithBody, neverHolds],
];

// The rows of the table in docs/decisions/errors.md, for every operation there is. That the database is gone is in
// database-gone.test.ts; what stops, and what breaks after its first byte, in http-lists.test.ts; a used-up limit in
// http-rate-limit.test.ts. Errors of most kinds are checked on both databases by behaviour.test.ts.
describe.each(anyDriver)('errors on %s', (driver) => {
  const service = sharedService(driver);
  let known: KnownIds;

  beforeAll(async () => {
    known = await loadKnown(service);
  });

  /** Sends what a route takes with one change after the other, and expects a problem of this kind each time. */
  async function refusals(route: Route, kind: ProblemKind, changes: readonly Change[]): Promise<Refusal[]> {
    const valid = validRequest(route, known);
    const refused: Refusal[] = [];
    for (const change of changes) {
      const { method, path, query, body } = { ...valid, ...change };
      const headers = { ...valid.headers, ...change.headers };
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await service.send(method, path + query, { scope: route.scopes[0], headers, body });
      refused.push({ answer, problem: expectProblem(answer, kind, { path }) });
    }
    return refused;
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

  describe('400', () => {
    const inPaths = routes.flatMap((route) =>
      pathParametersOf(route).map((name): [string, string, Route] => [route.id, name, route]),
    );
    test.each(inPaths)('%s: a {%s} of the path that cannot be', async (_, name, route) => {
      const faults: [string, string[] | undefined][] = [
        ['x'.repeat(256), [`/${name} too-long`]],
        [encodeURIComponent('😀'.repeat(256)), [`/${name} too-long`]],
        ['a%00b', [`/${name} wrong-format`]],
        ...['%ff', '%ed%a0%80', '%', '%zz'].map((id): [string, undefined] => [id, undefined]),
      ];
      const template = pathWith(route, { ...known, [name]: '{}' });
      const paths = faults.map(([id]) => ({ path: template.replace('%7B%7D', id) }));
      expect((await refusals(route, 'invalid-request', paths)).map(faultsOf)).toEqual(faults.map(([, told]) => told));
    });

    const inQueries = routes.flatMap((route) =>
      Object.keys(route.query.shape).map((name): [string, string, Route] => [route.id, wireName(route, name), route]),
    );
    test.each(inQueries)('%s: a parameter %s of the query that cannot be', async (_, name, route) => {
      const pair = `${name}=${validParameter(route, name)}`;
      const pairs = validRequest(route, known).query.slice(1).split('&');
      const others = pairs.filter((one) => !one.startsWith(`${name}=`));
      const faulty = [name, `${name}=`, `${pair}%00`, `${pair}&${pair}`, `${name}=%ff`, `${name}=%`];
      const queries = faulty.map((fault) => ({ query: `?${[...others, fault].join('&')}` }));
      const pointers = (await refusals(route, 'invalid-request', queries)).map(
        ({ problem }) => problem.errors && [...new Set(problem.errors.map(({ pointer }) => pointer))],
      );
      expect(pointers).toEqual([...Array.from({ length: 4 }, () => [`/${name}`]), undefined, undefined]);
    });

    const withRequired = routes.filter((route) => validRequest(route, {}).query !== '');
    test.each(named(withRequired))('%s: without a parameter that is required', async (_, route) => {
      const names = [...new URLSearchParams(validRequest(route, known).query).keys()];
      const refused = await refusals(route, 'invalid-request', [{ query: '' }]);
      expect(refused.map(faultsOf)).toEqual([names.map((name) => `/${name} required`)]);
    });

    const periods = routes.filter(({ query }) => 'from' in query.shape && 'to' in query.shape);
    test.each(named(periods))('%s: a period whose end is before its beginning', async (_, route) => {
      const [from, to] = [wireName(route, 'from'), wireName(route, 'to')];
      const day = validParameter(route, from).length > 'YYYY-MM'.length ? '-01' : '';
      const query = `?${from}=2026-02${day}&${to}=2026-01${day}`;
      const [refused] = await refusals(route, 'invalid-request', [{ query }]);
      const error = { pointer: `/${from}`, code: 'rule', detail: 'must not be after the end' };
      expect(refused?.problem.errors).toEqual([error]);
    });

    test.each(named(routes))('%s: an unknown parameter, and what there is', async (_, route) => {
      const query = `${validRequest(route, known).query || '?'}&shoe/Size=43`;
      const [refused] = (await refusals(route, 'invalid-request', [{ query }])) as [Refusal];
      expect(faultsOf(refused)).toEqual(['/shoe~1Size unknown-name']);
      const detail = refused.problem.errors?.[0]?.detail;
      for (const name of Object.keys(route.query.shape)) expect(detail).toContain(wireName(route, name));
    });

    test.each(named(routesWithBody))('%s: a body that is not its JSON', async (_, route) => {
      const noUtf8 = ['22ff22', '22eda08022', 'efbbbf7b7d', '7b007d00'].map((bytes) => Buffer.from(bytes, 'hex'));
      const faults: Readonly<Record<string, readonly (string | Buffer)[]>> = {
        ' wrong-format': ['{', '{} {}', "{'a': 1}", 'nul', ...noUtf8],
        ' wrong-type': ['null', '[]', '"x"', '1', 'true'],
        '/a rule': ['{"a":1,"\\u0061":2}'],
        ' rule': ['['.repeat(33) + ']'.repeat(33)],
      };
      for (const [fault, bodies] of Object.entries(faults)) {
        const changes = bodies.map((body) => ({ body }));
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const refused = await refusals(route, 'invalid-request', changes);
        expect(refused.map(faultsOf)).toEqual(bodies.map(() => [fault]));
      }
    });
  });

  test.each(named(routes))('401: %s without a token that is valid', async (_, route) => {
    const [scope] = route.scopes;
    const token = await service.token(scope);
    const ended = endedTokens.get(scope) ?? endedTokensOf(scope);
    endedTokens.set(scope, ended);
    const noTokens = ['', 'Bearer', 'Basic YTpi', token, `Basic ${token}`];
    const several = [`Bearer ${token} ${token}`, `Bearer ${token}, Bearer ${token}`];
    const wrong = ['x', `${token}x`, token.toUpperCase(), `"${token}"`, ...(await ended)].map((one) => `Bearer ${one}`);
    for (const [authorizations, challenge] of [
      [[...noTokens, ...several], 'Bearer realm="hr-cloud"'],
      [wrong, 'Bearer realm="hr-cloud", error="invalid_token"'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const refused = await refusals(route, 'unauthorized', withHeaders('authorization', ...authorizations));
      for (const { answer } of refused) expect(answer.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  test.each(named(routes))('403: %s with a token of the other scope', async (_, route) => {
    const other = await service.token(route.scopes[0] === 'api:use' ? 'operator' : 'api:use');
    const [refused] = await refusals(route, 'forbidden', withHeaders('authorization', `Bearer ${other}`));
    expect(refused?.answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="hr-cloud", error="insufficient_scope", scope="${route.scopes[0]}"`,
    );
  });

  describe.each(refusedByEach)('%s', (kind, title, some, changes) => {
    test.each(named(some))(`%s ${title}`, async (_, route) => {
      expect(await refusals(route, kind, changes)).toHaveLength(changes.length);
    });
  });

  describe('404', () => {
    const owned = routes.filter((route) => pathParametersOf(route).length > 0);
    test.each(named(owned))('%s of what is unknown', async (_, route) => {
      const ids = Object.fromEntries(pathParametersOf(route).map((name) => [name, 'nobody/%2F 😀']));
      expect(await refusals(route, 'not-found', [{ path: pathWith(route, ids) }])).toHaveLength(1);
    });

    test('beside every address there is', async () => {
      const addresses = [...serverAddresses(service.server).keys()].map(withAnyId);
      const beside = addresses.flatMap((address) => [
        `${address}/`,
        `${address}/-/-/-`,
        `/x${address}`,
        `/${address}`,
        address.toUpperCase(),
        address.replace(ANY_ID, ''),
      ]);
      const others = ['/', '/api', '/api/v1', '/api/v1/nothing', '/operator', '/operator/v1', '/favicon.ico'];
      for (const path of [...beside, ...others].filter((one) => !addresses.includes(one))) {
        for (const method of ['GET', 'POST', 'PATCH']) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          expectProblem(await service.send(method, path, { headers: noToken }), 'not-found', { path });
        }
      }
    });
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

  test.each([...publicPaths, ...formPaths])('406: %s for who takes no JSON', async (path) => {
    const method = formPaths.includes(path) ? 'POST' : 'GET';
    const answer = await service.send(method, path, { headers: { ...noToken, accept: 'text/html' } });
    expectProblem(answer, 'not-acceptable', { path });
  });

  test.each(formPaths)('413: %s with a form over 16 KiB', async (path) => {
    const headers = { ...noToken, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.send('POST', path, { headers, body: 'x'.repeat(MOST_FORM_BYTES + 1) });
    expectProblem(answer, 'content-too-large', { path });
  });

  test.each<[headers: Record<string, string>, method: string, path: string]>([
    [{ 'if-match': '*' }, 'PATCH', '/api/v1/persons/p-1'],
    [{ 'if-none-match': '"a"' }, 'PATCH', '/api/v1/persons/p-1'],
    [{ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 'PATCH', '/api/v1/persons/p-1'],
    [{ 'if-match': '"a"' }, 'GET', '/api/v1/persons'],
    [{ 'content-type': 'application/json; profile=x; charset=UTF-8' }, 'PATCH', '/api/v1/persons/p-1'],
  ])('%j is no reason to refuse %s %s', async (headers, method, path) => {
    const body = method === 'PATCH' ? {} : undefined;
    expect((await service.send(method, path, { headers, body })).status).toBe(200);
  });

  test.each(['approve', 'reject'])('409: %s of a payment that is decided', async (verb) => {
    const path = `/operator/v1/variable-payments/${known['paymentId']}/${verb}`;
    await service.send('POST', path, { scope: 'operator' });
    expectProblem(await service.send('POST', path, { scope: 'operator' }), 'already-decided', { path });
  });

  test.each([
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready' }],
  ])('%s is answered without a token', async (path, body) => {
    const answer = await service.send('GET', path, { headers: noToken });
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'application/json', body]);
  });

  test('a service whose database is gone tells for how long it is not ready', async () => {
    vi.spyOn(service.database, 'check').mockRejectedValueOnce(new Error('gone'));
    const { status, headers } = await service.send('GET', '/readyz', { headers: noToken });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  test.each([
    [new DatabaseBusyError(100), 429, '1'],
    [new DatabaseUnavailableError({ cause: new Error('geheim') }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'conflict' }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'statementTimeout' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'full' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'notReplicated', mayBeStored: true }), 503, '5'],
    [new Error('geheim: Ada König'), 500, null],
  ])('%s is answered without a word about the cause', async (fault, status, retryAfter) => {
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(fault);
    const answer = await service.send('GET', '/api/v1/persons');
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(JSON.stringify(answer.body) + service.log.join('')).not.toContain('geheim');
  });
});

test('410: every list of changes, where they are no longer kept', async () => {
  const service = await startService('postgres', { HR_TIME_ZONE: 'Pacific/Auckland' });
  onTestFinished(() => service.stop());
  await loadKnown(service);
  await service.database.query(
    `insert into change_history values (timestamp '2026-03-02' at time zone 'Pacific/Auckland')`,
  );
  for (const route of routes.filter(({ query }) => 'changedSince' in query.shape)) {
    const path = pathWith(route, { personId: 'nobody' });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await service.send(route.method, `${path}?changedSince=2026-03-01`);
    expect(expectProblem(answer, 'changes-expired', { path })).toMatchObject({ keptSince: '2026-03-02' });
    // oxlint-disable-next-line no-await-in-loop
    const kept = await service.send(route.method, `${path}?changedSince=2026-03-02`);
    expect(kept.status).toBe(path.includes('nobody') ? 404 : 200);
  }
});
