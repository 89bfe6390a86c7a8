import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createFakeHrCloud, hrCloudHandlers } from '@hr/testing/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const authorization = 'Bearer contract-token';

describe.each(['https://hr.example.com', 'https://example.com/hr/cloud/'])('behind %s', (baseUrl) => {
  const fake = createFakeHrCloud();
  const server = setupServer(...hrCloudHandlers(fake, { baseUrl }));
  const at = (path: string): string => `${baseUrl.replace(/\/$/, '')}${path}`;
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  beforeEach(() => fake.reset());
  afterAll(() => server.close());

  test('a token is issued, and lists what is there', async () => {
    fake.state('a person', { id: 'p/1 ü', lastName: 'Yılmaz' });
    const form = { grant_type: 'client_credentials', client_id: fake.clientId, client_secret: fake.clientSecret };
    const issued = await fetch(at('/api/oauth2/token'), { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const persons = await fetch(at('/api/v1/persons'), { headers: { authorization: `Bearer ${token}` } });
    expect(await persons.json()).toMatchObject([{ id: 'p/1 ü', lastName: 'Yılmaz' }]);
  });

  test('a page of another origin may send its request, and read the response', async () => {
    const origin = 'http://localhost:3000';
    const names = {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, x-own',
    };
    const preflight = await fetch(at('/api/v1/persons/1'), { method: 'OPTIONS', headers: { origin, ...names } });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': '*',
      'access-control-allow-headers': 'authorization, x-own',
    });
    expect(fake.requests).toEqual([]);

    fake.failNext('listPersons', 503);
    const answer = await fetch(at('/api/v1/persons'), { headers: { origin, authorization } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toBe('*');
    fake.failNext('listPersons', 'lost-request');
    await expect(fetch(at('/api/v1/persons'), { headers: { origin, authorization } })).rejects.toThrow(TypeError);
  });

  test('a change is stored', async () => {
    fake.state('a person', { id: 'p/1 ü' });
    const answer = await fetch(at('/api/v1/persons/p%2F1%20%C3%BC'), {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"bankDetails":{"iban":"DE02120300000000202051"}}',
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ bankDetails: { iban: 'DE02120300000000202051' } });
    expect(fake.requests).toMatchObject([{ operation: 'updatePerson', path: '/api/v1/persons/p%2F1%20%C3%BC' }]);
  });

  test('a status fails a request', async () => {
    fake.failNext('listPersons', 503);
    const answer = await fetch(at('/api/v1/persons'), { headers: { authorization } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  test.each(['lost-request', 'lost-response'] as const)('a %s rejects', async (failure) => {
    fake.failNext('listPersons', failure);
    await expect(fetch(at('/api/v1/persons'), { headers: { authorization } })).rejects.toThrow(TypeError);
    expect(fake.requests).toMatchObject([{ operation: 'listPersons', status: undefined }]);
  });

  // In Node MSW ends such an answer as if it were whole, so only its text tells.
  test('a truncated answer is no JSON', async () => {
    fake.state('a person', { id: '1' });
    fake.failNext('listPersons', 'truncated-response');
    const answer = await fetch(at('/api/v1/persons'), { headers: { authorization } });
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  test('an answer comes later', async () => {
    fake.failNext('listPersons', { delayMs: 50 });
    const start = performance.now();
    await fetch(at('/api/v1/persons'), { headers: { authorization } });
    expect(performance.now() - start).toBeGreaterThan(45);
  });
});

test('what is not of the API is left alone', async () => {
  const service = createServer((_, response) => response.end('real'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const fake = createFakeHrCloud();
  const server = setupServer(...hrCloudHandlers(fake, { baseUrl }));
  server.listen({ onUnhandledFrame: 'bypass' });
  onTestFinished(() => {
    server.close();
    service.close();
  });
  expect(await (await fetch(`${baseUrl}/livez`)).text()).toBe('real');
  expect((await fetch(`${baseUrl}/api/v1/persons`)).status).toBe(401);
  expect(fake.requests).toMatchObject([{ operation: 'listPersons', status: 401 }]);
});

test('a base address that is none is refused at once', () => {
  expect(() => hrCloudHandlers(createFakeHrCloud(), { baseUrl: 'hr.example.com' })).toThrow(
    'hrCloudHandlers: baseUrl is not a URL. Write http(s)://…',
  );
});

test('a program that only waits for a late answer gets it', async () => {
  const program = `
    import { createFakeHrCloud, hrCloudHandlers } from '@hr/testing/msw';
    import { setupServer } from 'msw/node';
    const fake = createFakeHrCloud();
    const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
    server.listen();
    fake.failNext('listPersons', { delayMs: 100 });
    console.log((await fetch('https://hr.example.com/api/v1/persons')).status);
    server.close();
  `;
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', program];
  const ended = promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url), timeout: 120_000 });
  expect((await ended).stdout).toBe('401\n');
});
