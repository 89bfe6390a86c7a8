import { operations } from '@hr/schemas';
import { startFakeHrCloud } from '@hr/testing/fake';
import { launchChromium, type Browser, type Page } from 'tooling-chromium';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundlePage } from './bundle-page.ts';
import {
  cutOff,
  endless,
  json,
  raw,
  reset,
  service,
  silent,
  stalled,
  type Answer,
  type ReceivedRequest,
} from './service.ts';

const paid = {
  payrollContractId: '1-2',
  billingPeriod: '2026-01',
  correctionPeriod: '2026-01',
  compensationComponentId: 'BONUS',
  amount: 1,
};

// The browser's own lines on the console.
const failedRequest = /^Failed to load resource/;
const policyNote = /'script-src'/;

let browser: Browser;
/** One page for all tests, because a new page starts a process. */
let page: Page;
/** The scripts of the page by path: ky is one of its own. */
let scripts: Record<string, Answer>;

beforeAll(async () => {
  // Less than what the lists take that are read.
  browser = await launchChromium(['--js-flags=--max-old-space-size=24']);
  page = await browser.newPage();
  scripts = Object.fromEntries(
    Array.from(await bundlePage(new URL('browser-page.ts', import.meta.url)), ([name, code]) => [
      `/${name}`,
      raw(code, 200, { 'content-type': 'text/javascript' }),
    ]),
  );
});
afterAll(() => browser.close());

interface Visit {
  readonly value?: unknown;
  readonly error?: unknown;
  /** The requests of the API, without those for tokens. */
  readonly requests: readonly ReceivedRequest[];
  /** What the browser wrote on the console about the page's content security policy. */
  readonly notes: readonly string[];
}

const policy = { 'content-security-policy': "default-src 'self'" };
const htmlOf = (script: string): string => `<!doctype html><script type="module" src="/${script}.js"></script>`;

function numberedTokens(): Answer {
  let count = 0;
  return (...exchange) => {
    count++;
    return json({ access_token: `t0ken-${count}`, token_type: 'Bearer', expires_in: 3600 })(...exchange);
  };
}

/**
 * Opens a page that makes one of the calls of `browser-page.ts`, and tells what came of it. The API and its tokens are
 * at the page's own origin; the first answer goes to the first request of the API, and so on; the last one is repeated.
 */
async function visit(
  address: string,
  answers: readonly [Answer, ...Answer[]],
  token = numberedTokens(),
  given = scripts,
): Promise<Visit> {
  const requests: ReceivedRequest[] = [];
  const site: Record<string, Answer> = { ...given, '/api/oauth2/token': token };
  const html = raw(htmlOf('browser-page'), 200, { 'content-type': 'text/html', ...policy });
  const origin = await service((response, request, index) => {
    const { target = '' } = request;
    if (!target.startsWith('/api/v1/')) return (site[target] ?? html)(response, request, index);
    const answer = answers[requests.push(request) - 1] ?? answers.at(-1);
    return answer?.(response, request, index);
  });
  onTestFinished(() => origin[Symbol.asyncDispose]());

  const faults: unknown[] = [];
  const notes: string[] = [];
  page.on('pageerror', (error) => faults.push(error));
  page.on('crash', () => faults.push('the page crashed'));
  page.on('console', (message) => {
    const text = message.text();
    if (failedRequest.test(text)) return;
    (policyNote.test(text) ? notes : faults).push(text);
  });
  onTestFinished(async () => {
    page.removeAllListeners();
    expect(faults).toEqual([]);
  });
  await page.goto(`${origin.url}${address}`);
  const report = await page.evaluate<string>('report');
  expect(report).not.toMatch(/s3cret|t0ken/);
  return { ...(JSON.parse(report) as object), requests, notes };
}

test('the page has nothing of Node', async () => {
  const { value } = await visit('/#globals', [silent]);
  expect(value).toEqual([]);
});

test('a list larger than the heap passes through, and leaving the loop cancels the rest', async () => {
  const state = { closed: false, bytes: 0 };
  const { value } = await visit('/#readAndLeave', [endless(state)]);
  expect(value).toBe(200_000);
  await vi.waitFor(() => expect(state.closed).toBe(true), { timeout: 120_000 });
});

test('a page that takes nothing holds the service back', async () => {
  const state = { closed: false, bytes: 0 };
  const { value } = await visit('/#readOneAndHold', [endless(state)]);
  expect(value).toMatchObject({ value: { id: 'first' } });
  let before = -1;
  // The browser itself takes some 64 MiB ahead.
  await vi.waitUntil(() => before === (before = state.bytes), { interval: 100, timeout: 120_000 });
  expect(state.closed).toBe(false);
});

test('a person is updated', async () => {
  const { value, requests } = await visit('/#update', [json({ id: 'p/1 ü' })]);
  expect(value).toEqual({ id: 'p/1 ü' });
  expect(requests).toEqual([
    expect.objectContaining({
      method: 'PATCH',
      target: '/api/v1/persons/p%2F1%20%C3%BC',
      body: '{"bankDetails":{"iban":"DE02120300000000202051"}}',
    }),
  ]);
});

test('a payment is submitted', async () => {
  const { value, requests } = await visit('/#submit', [json(paid)]);
  expect(value).toEqual(paid);
  expect(requests).toEqual([
    expect.objectContaining({
      method: 'POST',
      target: '/api/v1/payrollContract/1-2/variable-payments?billingPeriod=2026-01',
      body: '{"compensationComponentId":"BONUS","amount":1}',
    }),
  ]);
});

test("an abort rejects with the caller's reason and ends the request", async () => {
  const closed = Promise.withResolvers<void>();
  const { value } = await visit('/#abortAtTheAnswer', [
    (response, ...rest) => {
      response.on('close', closed.resolve);
      return stalled('[')(response, ...rest);
    },
  ]);
  expect(value).toBe(true);
  await closed.promise;
});

test('each list is asked of the service, also where a browser may keep the answer', async () => {
  const { value, requests } = await visit('/#listTwice', [
    json([{ id: 'p1' }], 200, { 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    json([{ id: 'p2' }]),
  ]);
  expect(value).toEqual([[{ id: 'p1' }], [{ id: 'p2' }]]);
  expect(requests).toHaveLength(2);
});

test.each<[string, string, Answer, Record<string, unknown>]>([
  ['a broken connection', 'list', cutOff('[{"id":"p1"},'), { code: 'network', status: 200 }],
  ['a connection broken between elements', 'list', cutOff('[{"id":"p1"}'), { code: 'network', status: 200 }],
  [
    'fewer bytes than announced',
    'list',
    (response) => response.writeHead(200, { 'content-length': '99' }).write('[]', () => response.socket?.end()),
    { code: 'network', status: 200 },
  ],
  ['a body that ends within the list', 'list', raw('[{"id":"p1"}'), { code: 'invalid-response', status: 200 }],
  ['204', 'list', raw('', 204), { code: 'invalid-response', status: 204 }],
  ['a body that stalls', 'listInHaste', stalled('[{"id":"p1"},'), { code: 'timeout', status: 200 }],
  [
    'a redirected read',
    'list',
    raw('', 302, { location: '/api/v1/persons' }),
    { code: 'redirected', outcome: 'unknown' },
  ],
])('%s is an error', async (_, call, answer, facts) => {
  const { error, requests } = await visit(`/#${call}`, [answer]);
  expect(error).toMatchObject({ name: 'HrError', attempts: 1, ...facts });
  expect(requests).toHaveLength(1);
});

test.each([301, 302, 303, 307, 308])('a payment answered %i goes nowhere else', async (status) => {
  const { error, requests } = await visit('/#submit', [raw('', status, { location: '/api/v1/elsewhere' }), json(paid)]);
  // The browser hides the status.
  expect(error).toEqual(expect.not.objectContaining({ status: expect.anything() }));
  expect(error).toMatchObject({ code: 'redirected', attempts: 1, outcome: 'unknown' });
  expect(requests).toHaveLength(1);
});

test('a payment whose connection broke has an unknown outcome', async () => {
  const { error } = await visit('/#submit', [reset]);
  expect(error).toMatchObject({ code: 'network', attempts: 1, outcome: 'unknown' });
});

// No program can forbid it, so the README says that a payment needs a key.
test('a browser may send a payment twice by itself, with the same key', async () => {
  // It does where the connection was used before, which it mostly was.
  const visited = await vi.waitUntil(
    async () => {
      const again = await visit('/#submitWithKey', [reset, json(paid)]);
      return again.requests.length > 1 && again;
    },
    { timeout: 120_000 },
  );
  expect(visited.value).toEqual(paid);
  expect(visited.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
});

test('a refused token is replaced', async () => {
  const { value, requests } = await visit('/#list', [raw('', 401, { 'www-authenticate': 'Bearer' }), json([])]);
  expect(value).toEqual([]);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t0ken-1', 'Bearer t0ken-2']);
});

test('a page that cannot load the script of ky tries again, too', async () => {
  const withoutKy = Object.fromEntries(
    Object.entries(scripts).map(([path, script]) => [path, path === '/browser-page.js' ? script : raw('', 404)]),
  );
  const { value, requests } = await visit(
    '/#list',
    [raw('', 503), raw('', 503), json([])],
    numberedTokens(),
    withoutKy,
  );
  expect(value).toEqual([]);
  expect(requests).toHaveLength(3);
});

test('a retry waits as Retry-After asks', async () => {
  const times: number[] = [];
  const noting =
    (answer: Answer): Answer =>
    (...exchange) => {
      times.push(performance.now());
      return answer(...exchange);
    };
  const { value } = await visit('/#list', [noting(raw('', 429, { 'retry-after': '1' })), noting(json([]))]);
  expect(value).toEqual([]);
  const [first = 0, second = 0] = times;
  // Without it the wait is less than 300 ms.
  expect(second - first).toBeGreaterThan(900);
});

describe('the token endpoint', () => {
  test('gives a token that does not show itself', async () => {
    const { value } = await visit('/#token', [silent]);
    expect(value).toEqual({ expiresAt: expect.any(Number) });
  });

  test.each<[string, Answer, string]>([
    ['redirects', raw('', 307, { location: '/api/v1/elsewhere' }), 'redirected'],
    ['refuses the client', json({ error: 'invalid_client', error_description: 's3cret' }, 401), 'invalid-client'],
    ['breaks off', cutOff('{"access_token":"t0ken'), 'network'],
    ['answers too much', raw(' '.repeat(70_000)), 'invalid-response'],
    ['does not answer', silent, 'timeout'],
  ])('that %s is an error', async (_, token, code) => {
    const visited = await visit('/#token', [silent], token);
    expect(visited.error).toMatchObject({ name: 'AuthError', code });
    expect(visited.requests).toHaveLength(0);
  });
});

describe("a page under the policy default-src 'self'", () => {
  test('checks answers', async () => {
    const { error } = await visit('/#list', [json([{ id: 'p1', lastName: 1 }])]);
    expect(error).toMatchObject({
      code: 'invalid-response',
      problem: { errors: [{ pointer: '/0/lastName', code: 'wrong-type' }] },
    });
  });

  test('has nothing on its console', async () => {
    expect((await visit('/#list', [json([{ id: 'p1' }])])).notes).toEqual([]);
  });

  test('makes every call', async () => {
    const files = await bundlePage(new URL('browser-calls-page.ts', import.meta.url));
    await using fake = await startFakeHrCloud({ persons: 300 });
    const lines: string[] = [];
    page.on('pageerror', (error) => lines.push(String(error)));
    page.on('console', (message) => lines.push(message.text()));
    // The page and the API have the same origin.
    const html = { contentType: 'text/html', headers: policy, body: htmlOf('browser-calls-page') };
    await page.route(/\/(\?.*)?$/, (route) => route.fulfill(html));
    await page.route('**/*.js', (route) => {
      const body = files.get(new URL(route.request().url()).pathname.slice(1));
      return route.fulfill(body === undefined ? { status: 404 } : { contentType: 'text/javascript', body });
    });
    const login = new URLSearchParams({ id: fake.clientId, secret: fake.clientSecret });
    await page.goto(`${fake.url}/?${login.toString()}`);
    expect(await page.evaluate('report')).toEqual({
      persons: [300, 300],
      changed: [],
      endpoint: [true, 'test', 1, 0],
      updated: 'DE02120300000000202051',
      submitted: [250, '2026-01'],
      withoutAmount: ['invalid-request', 'not-sent'],
      unknownPerson: ['not-found', 'rejected'],
    });
    // The browser's own line about the unknown person.
    expect(lines).toEqual(['Failed to load resource: the server responded with a status of 404 (Not Found)']);
    const called = fake.requests.map(({ operation = 'none' }) => operation);
    expect(new Set(called)).toEqual(new Set(['requestToken', ...Object.keys(operations)]));
    expect(called.filter((operation) => operation === 'requestToken')).toHaveLength(1);
  });
});
