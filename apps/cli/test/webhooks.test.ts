import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { verifyWebhook } from '@hr/client/webhooks';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { demoEnvironment, homeFolder, runHr, type Ended } from './run-hr.ts';
import { openTerminal } from './terminal.ts';

const fake = await startFakeHrCloud({ persons: 3 });
afterAll(() => fake.stop());

let status = 204;
let received: Parameters<typeof verifyWebhook>[0][] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .once('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status).end();
    });
});
let url: string;
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => void receiver.close());

let env: Record<string, string>;
beforeEach(async () => {
  fake.reset();
  [status, received] = [204, []];
  env = {
    HR_HOME: await homeFolder(),
    HR_BASE_URL: fake.url,
    HR_CLIENT_ID: fake.clientId,
    HR_CLIENT_SECRET: fake.clientSecret,
  };
});

const hr = (...args: string[]): Promise<Ended> => runHr(['webhooks', ...args], { env });
async function jsonOf(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await hr(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>[];
}
async function newEndpoint(): Promise<{ id: string; secret: string }> {
  const [created] = await jsonOf('create', url);
  return created as { id: string; secret: string };
}

test('a registered URL hears of changes, signed with the printed secret', async () => {
  const { secret } = await newEndpoint();
  const [person] = fake.persons.list();
  fake.persons.add({ ...person, lastName: 'Changed' });
  await vi.waitUntil(() => received.length > 0);
  const [request] = received;
  const { type, data } = await verifyWebhook(request as NonNullable<typeof request>, secret);
  expect({ type, changed: data.changed }).toEqual({ type: 'changes', changed: ['persons'] });
});

test('a test says what came of it, and the deliveries list it', async () => {
  const { id } = await newEndpoint();
  expect(await jsonOf('test', id)).toMatchObject([{ type: 'test', status: 204 }]);
  status = 500;
  expect(await hr('test', id)).toMatchObject({
    code: 1,
    stderr: 'hr: The receiver did not accept the event: 500.\n',
  });
  expect(await jsonOf('deliveries', id)).toMatchObject([{ status: 204 }, { status: 500 }]);
});

test('another secret is valid beside the one before', async () => {
  const { id, secret } = await newEndpoint();
  expect(await hr('rotate', id)).toMatchObject({ code: 2, stdout: '' });
  const [rotated] = await jsonOf('rotate', id, '--yes');
  expect(rotated?.['secret']).not.toBe(secret);
  await hr('test', id);
  const [request] = received;
  for (const valid of [secret, String(rotated?.['secret'])]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await verifyWebhook(request as NonNullable<typeof request>, valid)).toMatchObject({ type: 'test' });
  }
});

test('an endpoint is removed only when that is confirmed', async () => {
  const { id } = await newEndpoint();
  expect((await hr('delete', id)).code).toBe(2);
  expect(await jsonOf('list')).toMatchObject([{ id, url, failures: 0 }]);
  expect(await hr('delete', id, '--yes')).toEqual({
    code: 0,
    stdout: '',
    stderr: `Endpoint ${id} is removed: ${url}\n`,
  });
  expect(await jsonOf('list')).toEqual([]);
  expect((await hr('deliveries', id)).code).toBe(5);
});

test('on a narrow terminal the secret is printed whole', async () => {
  const main = join(import.meta.dirname, '../src/main.ts');
  const command = [process.execPath, '--conditions=@hr/source', main, 'webhooks', 'create', url];
  await using terminal = openTerminal(command, { columns: 60, env });
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.output).toMatch(/^The secret of endpoint \S+, which is shown only now:\r\nwhsec_[\w+/]{43}=\r\n$/);
});

test('a URL to which the HR Cloud does not send is refused with what helps', async () => {
  const demo = demoEnvironment(await homeFolder());
  expect(await runHr(['webhooks', 'create', url], { env: demo })).toEqual({
    code: 6,
    stdout: '',
    stderr: `hr: The HR Cloud does not send to this URL. Register an https URL of a public host, or ask the operator to allow its network. To try a receiver on this machine, run: hr listen --help\n`,
  });
  expect(await hr('create', 'no URL')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('<url> must be an https URL'),
  });
});
