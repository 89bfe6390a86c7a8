import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { startFakeHrCloud } from '@hr/testing/fake';
import { expect, test } from 'vitest';
import { call } from './call.ts';

const run = promisify(execFile);

test('it is at a free port of this machine, where others are beside it', async () => {
  await using one = await startFakeHrCloud();
  await using other = await startFakeHrCloud();
  one.state('a person', { id: '1' });
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(other.url).not.toBe(one.url);
  expect((await call(one, 'GET /api/v1/persons')).json).toHaveLength(1);
  expect((await call(other, 'GET /api/v1/persons')).json).toEqual([]);
});

test('it listens on the loopback interface only', async () => {
  await using fake = await startFakeHrCloud();
  const port = Number(new URL(fake.url).port);
  const outside = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const addresses = outside.filter(({ internal, family }) => !internal && family === 'IPv4');
  const refused = addresses.map(async ({ address }) => {
    const socket = connect({ host: address, port });
    const [error] = (await once(socket, 'error').catch((found: unknown) => [found])) as [NodeJS.ErrnoException];
    return error.code;
  });
  expect(await Promise.all(refused)).toEqual(addresses.map(() => 'ECONNREFUSED'));
});

test('its end closes what is open, and ends a second time as well', async () => {
  const fake = await startFakeHrCloud();
  fake.failNext('listPersons', { delayMs: 60_000 });
  const asked = call(fake, 'GET /api/v1/persons').catch((error: unknown) => error);
  const idle = connect(Number(new URL(fake.url).port), '127.0.0.1');
  await once(idle, 'connect');
  // The request is there before the end is.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = once(idle, 'close');
  await fake.stop();
  await closed;
  expect(await asked).toBeInstanceOf(TypeError);
  await fake.stop();
  await expect(fetch(fake.url)).rejects.toThrow(TypeError);
});

test('it writes nothing, and lets a process end once it is stopped', async () => {
  const program = `
    import { startFakeHrCloud } from '@hr/testing/fake';
    const fake = await startFakeHrCloud({ persons: 3 });
    await (await fetch(fake.url + '/api/v1/persons')).text();
    fake.failNext('listPersons', { delayMs: 600_000 });
    fetch(fake.url + '/api/v1/persons').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fake.stop();
  `;
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', program];
  const ended = run(process.execPath, node, { cwd: new URL('..', import.meta.url), timeout: 120_000 });
  expect(await ended).toEqual({ stdout: '', stderr: '' });
});

test('a made company is there from the start, the same for the same seed', async () => {
  await using fake = await startFakeHrCloud({ persons: 20 });
  await using same = await startFakeHrCloud({ persons: 20, seed: 1 });
  await using other = await startFakeHrCloud({ persons: 20, seed: 2 });
  const [first, second, third] = await Promise.all(
    [fake, same, other].map(async (each) => (await call(each, 'GET /api/v1/persons')).json),
  );
  expect(first).toHaveLength(20);
  expect(second).toEqual(first);
  expect(third).not.toEqual(first);
});

test('an option that is out of its range is refused', async () => {
  await expect(startFakeHrCloud({ persons: -1 })).rejects.toThrow(
    'startFakeHrCloud: "persons" is not an integer from 0 to',
  );
  await expect(startFakeHrCloud({ clock: 5 } as object)).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'startFakeHrCloud: "clock" is not a function. Pass one that returns milliseconds.',
  });
  await expect(startFakeHrCloud({ person: 3 } as object)).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'startFakeHrCloud: unknown option "person". Use persons, seed, clientId, clientSecret, clock.',
  });
});

test.each([
  ['headers that are too long', { 'x-long': 'x'.repeat(17_000) }, 431],
  ['a long value that fits', { 'x-long': 'x'.repeat(10_000) }, 200],
])('%s', async (_, headers, status) => {
  await using fake = await startFakeHrCloud();
  const response = await call(fake, 'GET /api/v1/persons', { headers });
  expect(response.status).toBe(status);
});

test('malformed HTTP gets a response, and the connection ends', async () => {
  await using fake = await startFakeHrCloud();
  const socket = connect(Number(new URL(fake.url).port), '127.0.0.1');
  socket.end('HELO there\r\n\r\n');
  const response = Buffer.concat(await socket.toArray()).toString();
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('urn:hr-cloud:problem:invalid-request');
});

test('a caller that disconnects within a request has no effect on others', async () => {
  await using fake = await startFakeHrCloud();
  const socket = connect(Number(new URL(fake.url).port), '127.0.0.1');
  socket.write('PATCH /api/v1/persons/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await new Promise((resolve) => setTimeout(resolve, 30));
  socket.destroy();
  await once(socket, 'close');
  expect((await call(fake, 'GET /api/v1/persons')).status).toBe(200);
});
