import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { operations } from '@hr/schemas';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { createLog } from '../src/config/create-log.ts';
import { DatabaseBusyError } from '../src/database/database-errors.ts';
import * as running from '../src/service.ts';
import { ListenError } from '../src/config/start-errors.ts';
import { start } from './command-line.ts';
import { anyDriver, emptyDatabase } from './drivers.ts';
import { askToken, inventToken } from './oauth-form.ts';
import { occupy } from './occupy.ts';
import { openSocket } from './raw-http.ts';
import { changedBy, requests, scrape } from './scrape.ts';
import { sharedService, startService, type TestService } from './service.ts';

const persons = '/api/v1/persons';
const aborted = 'hr_http_requests_aborted_total{operation="listPersons"}';
const failed = 'hr_http_requests_failed_total{operation="listPersons"}';
const listBytes = 'hr_list_sent_bytes_total{operation="listPersons"}';

const measuredSettings = { HR_METRICS_PORT: '0' };
const records = Array.from({ length: 500 }, (_, id) => ({ kind: 'person', id: `p-${id}`, lastName: 'Königin' }));

/** The next list of a service: it gives `[` and then nothing, until the test says so. */
function nextList({ database }: TestService): Readable {
  const json = new Readable({ read() {} });
  json.push('[');
  vi.spyOn(database, 'list').mockResolvedValueOnce({ json, elements: 0 });
  return json;
}

describe.each(anyDriver)('metrics on %s', (driver) => {
  const service = sharedService(driver, { ...measuredSettings, HR_TRUSTED_PROXY: '127.0.0.1' }, records);
  // The request for it would be counted, too.
  beforeAll(() => service.token());

  /** Sends text on a connection of its own. */
  function sendText(written: string): Socket {
    const socket = openSocket(service);
    socket.write(written);
    return socket;
  }

  async function fetchList(query = '', init: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${await service.token()}`;
    return fetch(service.baseUrl + persons + query, { ...init, headers: { authorization } });
  }

  test('count requests by operation and status, and how long they took', async () => {
    const sent = [
      ['PATCH', `${persons}/p-1`, { body: {} }],
      ['PATCH', `${persons}/p-1`, { body: { addresses: [] } }],
      ['PATCH', `${persons}/p-1`, { body: { addresses: 1 } }],
      ['PATCH', `${persons}/nobody`, { body: {} }],
      ['GET', '/api/v1/nothing'],
      ['DELETE', `${persons}/p-1`],
      ['GET', '/livez'],
      ['GET', persons, { headers: { authorization: 'Bearer x' } }],
      ['GET', `${persons}/%zz`],
    ] as const;
    const by = await changedBy(service, requests('none', 400), async () => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const [method, path, options] of sent) await service.send(method, path, options);
    });
    expect(by).toMatchObject({
      [requests('updatePerson', 200)]: 2,
      [requests('updatePerson', 400)]: 1,
      [requests('updatePerson', 404)]: 1,
      [requests('none', 404)]: 1,
      [requests('none', 405)]: 1,
      [requests('none', 200)]: 1,
      [requests('listPersons', 401)]: 1,
      [requests('none', 400)]: 1,
      'hr_http_request_duration_seconds_count{operation="updatePerson"}': 4,
      'hr_http_request_duration_seconds_count{operation="none"}': 4,
      'hr_http_request_duration_seconds_count{operation="listPersons"}': 1,
    });
    expect(by['hr_http_request_duration_seconds_sum{operation="updatePerson"}']).toBeGreaterThan(0);
    expect(Object.keys(by).join(' ')).not.toMatch(/in_flight|aborted|failed|_list/);
  });

  test('time a request until its answer has ended', async () => {
    const by = await changedBy(service, requests('listPersons', 200), async () => {
      const json = nextList(service);
      const response = await fetchList();
      await setTimeout(300);
      json.push(']');
      json.push(null);
      await response.text();
    });
    expect(by).toMatchObject({ 'hr_http_request_duration_seconds_bucket{le="30",operation="listPersons"}': 1 });
    expect(by).not.toHaveProperty(['hr_http_request_duration_seconds_bucket{le="0.25",operation="listPersons"}']);
  });

  test('count the bytes of lists', async () => {
    let bytes = 0;
    const by = await changedBy(service, requests('listPersons', 200), async () => {
      const lists = await Promise.all(['', '?changedSince=2999-01-01'].map((query) => fetchList(query)));
      for (const buffer of await Promise.all(lists.map((list) => list.arrayBuffer()))) bytes += buffer.byteLength;
    });
    expect(bytes).toBeGreaterThan(20_000);
    expect(by).toMatchObject({ [listBytes]: bytes });
  });

  test('show what runs, and count what a caller breaks off', async () => {
    const by = await changedBy(service, aborted, async () => {
      nextList(service);
      const abort = new AbortController();
      await fetchList('', { signal: abort.signal });
      const during = await scrape(service);
      expect([during.get('hr_http_requests_in_flight'), during.get('hr_lists_open')]).toEqual([1, 1]);
      abort.abort();
    });
    expect(by).toMatchObject({ [requests('listPersons', 200)]: 1, [aborted]: 1, [listBytes]: 1 });
    expect(Object.keys(by).join(' ')).not.toMatch(/failed|open|in_flight/);
  });

  test('count requests that were never answered with the status 0', async () => {
    const authorization = `Authorization: Bearer ${await service.token()}`;
    const by = await changedBy(service, requests('listPersons', 0), async () => {
      vi.spyOn(service.database, 'list').mockImplementationOnce(() => {
        socket.destroy();
        return new Promise(() => {});
      });
      const socket = sendText(`GET ${persons} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`);
      await once(socket, 'close');
    });
    expect(by).toMatchObject({ [requests('listPersons', 0)]: 1, [aborted]: 1 });
    expect(Object.keys(by).join(' ')).not.toMatch(/failed|open|in_flight/);
  });

  test('count what fails here, also behind a status of 200', async () => {
    const failing = await changedBy(service, failed, async () => {
      vi.spyOn(service.database, 'list').mockRejectedValueOnce(new Error('gone'));
      await fetchList();
    });
    expect(failing).toMatchObject({ [failed]: 1, [requests('listPersons', 500)]: 1 });
    expect(failing).not.toHaveProperty([aborted]);
    const breaking = await changedBy(service, failed, async () => {
      const json = nextList(service);
      const response = await fetchList();
      json.destroy(new Error('gone'));
      await expect(response.text()).rejects.toThrow('terminated');
    });
    expect(breaking).toMatchObject({ [failed]: 1, [aborted]: 1, [requests('listPersons', 200)]: 1 });
  });

  test('count what is answered on the bare connection', async () => {
    const by = await changedBy(service, requests('none', 431), async () => {
      await text(sendText('no HTTP\r\n\r\n'));
      await text(sendText(`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`));
    });
    expect(by).toMatchObject({ [requests('none', 400)]: 1, [requests('none', 431)]: 1 });
  });

  test('count what a limit refuses, and which', async () => {
    const byLists = await changedBy(service, 'hr_http_requests_limited_total{limit="lists"}', async () => {
      vi.spyOn(service.database, 'list').mockRejectedValueOnce(new DatabaseBusyError(1));
      await fetchList();
    });
    expect(byLists).toMatchObject({ [requests('listPersons', 429)]: 1 });
    const limited = await startService(driver, { ...measuredSettings, HR_RATE_LIMIT: '1' });
    const byClient = await changedBy(limited, 'hr_http_requests_limited_total{limit="client"}', async () => {
      await limited.send('GET', persons);
      await limited.send('GET', persons);
    });
    expect(byClient).toMatchObject({ [requests('listPersons', 429)]: 1 });
    await limited.stop();
  });

  test('count tokens that were remembered, and others', async () => {
    const operator = `Bearer ${await service.token('operator')}`;
    const by = await changedBy(service, requests('listPersons', 403), async () => {
      for (const authorization of ['', 'Bearer x', `Bearer ${inventToken()}`, operator, operator, operator, operator]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await service.send('GET', persons, { headers: { authorization } });
      }
    });
    const { hr_token_cache_hits_total: hits = 0, hr_token_cache_misses_total: misses = 0 } = by;
    expect(hits).toBeGreaterThan(0);
    expect(misses).toBeGreaterThan(0);
    // A guess is not looked up.
    expect(hits + misses).toBe(4);
  });

  test('show the reads that the audit lacks', async () => {
    const failing = vi.spyOn(service.database, 'copy').mockRejectedValue(new Error('gone'));
    await changedBy(service, 'hr_read_audit_failed_writes_total', () => fetchList());
    const waiting = async (): Promise<number | undefined> => (await scrape(service)).get('hr_read_audit_waiting');
    expect(await waiting()).toBeGreaterThan(0);
    failing.mockRestore();
    await expect.poll(waiting).toBe(0);
  });

  test('have as many series as there are operations and statuses, whatever is asked', async () => {
    const { clientId, clientSecret } = await service.client();
    const secret = 'Ada-Königin';
    const methods = ['GET', 'PATCH', 'DELETE', 'PUT', 'PROPFIND', 'M-SEARCH', 'FROB'];
    async function ask(round: number): Promise<void> {
      const id = encodeURIComponent(`${secret}-${round}`);
      const path = `${persons}/${id}${'/x'.repeat(round % 3)}?${round}=1`;
      const headers = `Host: ${secret}\r\nX-Request-Id: r${round}\r\nConnection: close`;
      await text(sendText(`${methods[round % methods.length]} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`));
      const credentials = {
        clientId: round === 0 ? clientId : `${clientId}-${round}`,
        clientSecret,
        scope: 'api:use',
      } as const;
      await askToken(service, credentials, { 'x-forwarded-for': `192.0.2.${round}` });
      await service.send('PATCH', `${persons}/${id}`, { body: {} });
    }
    const seriesAfter = async (from: number, to: number): Promise<string[]> => {
      await Promise.all(Array.from({ length: to - from }, (_, index) => ask(from + index)));
      return [...(await scrape(service)).keys()];
    };

    const few = await seriesAfter(0, 21);
    const many = await seriesAfter(21, 84);
    const series = many.filter((key) => key.startsWith('hr_'));
    expect(series).toEqual(few.filter((key) => key.startsWith('hr_')));
    const written = many.join(' ');
    for (const unwanted of [secret, encodeURIComponent(secret), clientId, clientSecret, 'p-1', ...methods]) {
      expect(written).not.toContain(unwanted);
    }
    const labels = new Set(series.flatMap((key) => key.match(/\w+="[^"]*"/g) ?? []));
    const known = [...Object.keys(operations), 'requestToken', 'none'].map((operation) => `operation="${operation}"`);
    for (const label of known) labels.delete(label);
    for (const label of labels) {
      expect(label).toMatch(
        /^(?:status="(?:0|[2-5]\d\d)"|le="(?:[\d.]+|\+Inf)"|(?:pool|limit|state)="(?:requests|client|lists|active|failing|paused)")$/,
      );
    }
  });

  test('show webhook endpoints by their state', async () => {
    const { status } = await service.send('POST', '/api/v1/webhook-endpoints', { body: { url: 'https://host.test/' } });
    expect(status).toBe(200);
    await expect.poll(async () => (await scrape(service)).get('hr_webhook_endpoints{state="active"}')).toBe(1);
  });

  async function pool(name: string): Promise<(number | undefined)[]> {
    const series = await scrape(service);
    const values = ['connections', 'connections_idle', 'waiting'];
    return values.map((value) => series.get(`hr_database_${value}{pool="${name}"}`));
  }

  // The embedded database has no pools.
  test.runIf(driver === 'postgres')('tell how busy the connections are', async () => {
    const free = occupy(service.database, 12);
    onTestFinished(free);
    // The service itself may wait, too, to look for due webhooks and to tell of commits.
    const waitingOf = async (): Promise<number> => Number((await pool('requests')).at(-1));
    await expect.poll(waitingOf).toBeGreaterThanOrEqual(2);
    expect(await waitingOf()).toBeLessThanOrEqual(4);
    expect(await pool('requests')).toMatchObject([10, 0, expect.any(Number)]);
    await free();
    await expect.poll(() => pool('requests')).toEqual([10, 10, 0]);
    await (await fetchList()).text();
    const [connections, idle, waiting] = await pool('lists');
    expect(connections).toBeGreaterThan(0);
    expect([idle, waiting]).toEqual([connections, 0]);
  });
});

describe('the server of metrics', () => {
  const measured = sharedService('pglite', measuredSettings);
  const fetchMetrics = (): Promise<Response> => fetch(measured.metricsUrl ?? '');

  test('are given in the text format, with those of the process', async () => {
    const { status, headers } = await fetchMetrics();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const series = await scrape(measured);
    expect(series.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    const idle = ['hr_http_requests_in_flight', 'hr_lists_open', 'hr_read_audit_failed_writes_total'];
    for (const name of idle) expect(series.get(name)).toBe(0);
    // An embedded database has no connections.
    expect([...series.keys()].filter((name) => name.startsWith('hr_database_connections'))).toEqual([]);
  });

  test('are those that the documentation explains', async () => {
    const exposition = await (await fetchMetrics()).text();
    const given = [...exposition.matchAll(/^# TYPE (hr_\w+) /gm)].map(([, name]) => name);
    const page = await readFile(new URL('../../../docs/running.md', import.meta.url), 'utf8');
    const explained = [...page.matchAll(/^\| `(hr_\w+)` /gm)].map(([, name]) => name);
    expect(new Set(explained)).toEqual(new Set(given));
  });

  test('are all that their port gives, and are given nowhere else', async () => {
    const { baseUrl, metricsUrl = '' } = measured;
    const { origin } = new URL(metricsUrl);
    expect(origin).not.toBe(baseUrl);
    const answers = [
      [404, 'GET', `${baseUrl}/metrics`],
      ...['/', '/metrics/', '/metrics/x', '/livez', '/docs'].map((path) => [404, 'GET', origin + path] as const),
      [404, 'POST', `${origin}/`],
      ...['HEAD', 'POST', 'PUT', 'DELETE'].map((method) => [405, method, `${origin}/metrics`] as const),
      [400, 'GET', `${origin}/%zz`],
      [200, 'GET', `${origin}/metrics?name[]=up`],
    ] as const;
    for (const [status, method, url] of answers) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await fetch(url, { method });
      expect([response.status, method, url]).toEqual([status, method, url]);
      expect(response.headers.get('allow')).toBe(status === 405 ? 'GET' : null);
    }
  });

  test('are of one service each, where a process has several, and nowhere unless a port is set', async () => {
    const count = 'hr_http_requests_total{operation="none",status="200"}';
    const before = (await scrape(measured)).get(count);
    const second = await startService('postgres', measuredSettings);
    await fetch(`${second.baseUrl}/livez`);
    await expect.poll(async () => (await scrape(second)).get(count)).toBe(1);
    expect((await scrape(measured)).get(count)).toBe(before);
    const unmeasured = await startService('postgres', { HR_DATABASE: second.databaseUrl });
    expect(unmeasured.metricsUrl).toBeUndefined();
    expect((await fetch(`${unmeasured.baseUrl}/metrics`)).status).toBe(404);
    await unmeasured.stop();
    await second.stop();
  });

  test('need a port that is free, or the start fails and leaves nothing behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const { url, remove } = await emptyDatabase('postgres');
    const startOn = (HR_PORT: string): Promise<unknown> =>
      running.startService(readConfig({ HR_DATABASE: url, HR_PORT, HR_METRICS_PORT: port }), createLog('silent'));
    const sentence = `Port ${port} of 127.0.0.1 is taken: stop what uses it, or set HR_METRICS_PORT to another one (0 takes any).`;

    await expect(startOn('0')).rejects.toThrow(ListenError);
    taken.close();
    await once(taken, 'close');
    await expect(startOn(port)).rejects.toThrow(sentence);
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
    await remove();
  });

  test('are there while the service stops, and end last', async () => {
    const stopping = await startService('postgres', measuredSettings);
    const { database } = stopping;
    const json = nextList(stopping);
    const authorization = `Bearer ${await stopping.token()}`;
    const list = await fetch(`${stopping.baseUrl}/api/v1/persons`, { headers: { authorization } });
    const close = database.close.bind(database);
    const closing = vi.spyOn(database, 'close').mockImplementationOnce(async () => {
      await close();
      await scrape(stopping);
    });

    const stopped = stopping.stop();
    await expect(fetch(`${stopping.baseUrl}/livez`)).resolves.toMatchObject({ status: 503 });
    expect((await scrape(stopping)).get('hr_lists_open')).toBe(1);
    json.push(']');
    json.push(null);
    expect(await list.json()).toEqual([]);
    await stopped;
    expect(closing).toHaveBeenCalledOnce();
    await expect(scrape(stopping)).rejects.toThrow('fetch failed');
  });

  test('are told of where the service starts, and end with it', async () => {
    const empty = await emptyDatabase('postgres');
    const child = start(['serve'], { HR_DATABASE: empty.url, HR_PORT: '0', HR_METRICS_PORT: '0' });
    const printed: string[] = [];
    child.stderr.on('data', (chunk) => printed.push(String(chunk)));
    const told =
      /^The HR Cloud API is on http:\/\/127\.0\.0\.1:\d+\nIts metrics are on (http:\/\/127\.0\.0\.1:\d+\/metrics)\n$/;
    await expect.poll(() => printed.join('')).toMatch(told);
    const [, url = ''] = told.exec(printed.join('')) ?? [];
    expect((await scrape({ metricsUrl: url })).get('process_start_time_seconds')).toBeGreaterThan(0);
    child.kill('SIGTERM');
    await expect.poll(() => child.exitCode).toBe(0);
    await empty.remove();
  });
});
