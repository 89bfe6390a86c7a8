import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { createLog } from '../src/config/create-log.ts';
import { ListenError } from '../src/config/start-errors.ts';
import * as service from '../src/service.ts';
import { start } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';
import { scrape } from './scrape.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const measuredSettings = { HR_METRICS_PORT: '0' };

describe('the metrics', () => {
  let measured: TestService;
  let metricsUrl: string;
  beforeAll(async () => {
    measured = await startService('pglite', measuredSettings);
    metricsUrl = measured.metricsUrl ?? '';
  });
  afterAll(() => measured.stop());

  test('are given in the text format, with those of the process', async () => {
    const { status, headers } = await fetch(metricsUrl);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const series = await scrape({ metricsUrl });
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_heap_size_used_bytes']) {
      expect(series.get(name)).toBeGreaterThan(0);
    }
    expect(series.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    for (const name of ['hr_http_requests_in_flight', 'hr_lists_open', 'hr_read_audit_failed_writes_total']) {
      expect(series.get(name)).toBe(0);
    }
    // An embedded database has no connections.
    expect([...series.keys()].filter((name) => name.startsWith('hr_database_connections'))).toEqual([]);
    const collections = 'nodejs_gc_duration_seconds_count{kind="minor"}';
    await expect.poll(async () => (await scrape({ metricsUrl })).get(collections)).toBeGreaterThan(0);
  });

  test('are those that the documentation explains', async () => {
    const exposition = await (await fetch(metricsUrl)).text();
    const given = [...exposition.matchAll(/^# TYPE (hr_\w+) /gm)].map(([, name]) => name);
    const page = await readFile(new URL('../../../docs/running.md', import.meta.url), 'utf8');
    const explained = [...page.matchAll(/^\| `(hr_\w+)` /gm)].map(([, name]) => name);
    expect(new Set(explained)).toEqual(new Set(given));
  });

  test('are all that their port gives, and are given nowhere else', async () => {
    const { baseUrl } = measured;
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
      service.startService(readConfig({ HR_DATABASE: url, HR_PORT, HR_METRICS_PORT: port }), createLog('silent'));
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
    const json = new Readable({ read() {} });
    json.push('[');
    vi.spyOn(database, 'list').mockResolvedValueOnce({ json, elements: 0 });
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
