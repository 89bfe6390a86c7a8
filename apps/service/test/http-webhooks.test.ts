import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { addressOf, run, start } from './command-line.ts';
import { drivers, emptyDatabase } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { newReader, type Reader } from './reader.ts';
import { load, sharedService, startService, type Answer } from './service.ts';
import { startReceiver, withStatus, type Receiver } from './webhook-receiver.ts';

const environment = { HR_WEBHOOK_NETWORKS: '127.0.0.0/8' };
const records = [{ kind: 'person', id: 'p-1' }];

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

describe.each(drivers)('webhook endpoints on %s', (driver) => {
  const service = sharedService(driver, environment, records);
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());
  afterEach(async () => {
    receiver.respond = withStatus(204);
    receiver.received.length = 0;
    await service.database.query('delete from webhook_endpoint');
  });

  const webhooks = 'webhook-endpoints';
  async function newEndpoint(reader: Reader, url = receiver.url): Promise<Endpoint> {
    const answer = await reader.send(webhooks, 'POST', { url });
    expect(answer.status).toBe(200);
    return answer.body as Endpoint;
  }
  const operate = (path: string): Promise<Answer> =>
    service.send('POST', `/operator/v1/webhook-endpoints/${path}`, { scope: 'operator', body: {} });

  let houseNumber = 0;
  const change = (reader: Reader): Promise<Answer> =>
    reader.send('persons/p-1', 'PATCH', { addresses: [{ houseNumber: String(++houseNumber) }] });

  test('what changes is told to the receiver, whose cursor then gives nothing more', async () => {
    const reader = await newReader(service);
    const { secret } = await newEndpoint(reader);
    await change(reader);
    await vi.waitUntil(() => receiver.received.length > 0, 60_000);
    const [notice] = receiver.received;
    expect(new Webhook(secret).verify(notice?.text ?? '', notice?.headers as Record<string, string>)).toMatchObject({
      data: { changed: ['persons'] },
    });
    const { cursor } = notice?.event.data ?? {};
    expect((await reader.send(`persons?after=${cursor}`)).body).toEqual([]);
    expect((await reader.send(`changes?after=${cursor}`)).body).toMatchObject({ changed: [] });
  });

  test('a client manages its own endpoints, and the secret is shown only when it is new', async () => {
    const [reader, another] = [await newReader(service), await newReader(service)];
    const created = await newEndpoint(reader);
    const { secret, ...shown } = created;
    expect(created).toEqual({
      id: expect.any(String),
      url: receiver.url,
      createdAt: expect.any(String),
      failures: 0,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect((await reader.send(webhooks)).body).toEqual([shown]);
    expect((await another.send(webhooks)).body).toEqual([]);
    const path = `${webhooks}/${created.id}`;
    const calls = [
      ['POST', `${path}/test`, { type: 'test', status: 204, attempt: 1 }],
      ['POST', `${path}/rotate`, { id: created.id, secret: expect.stringMatching(/^whsec_/) }],
      ['GET', `${path}/deliveries`, [{ type: 'test', status: 204 }]],
      ['DELETE', path, shown],
    ] as const;
    const answers: unknown[] = [];
    // oxlint-disable no-await-in-loop -- one after the other
    for (const [method, address, body] of calls) {
      expectProblem(await another.send(address, method), 'not-found', { path: `/api/v1/${address}` });
      const answer = await reader.send(address, method);
      expect(answer).toMatchObject({ status: 200, body });
      answers.push(answer.body);
    }
    // oxlint-enable no-await-in-loop
    expect(answers[1]).not.toMatchObject({ secret });
    expect(answers[3]).toEqual(shown);
    expect((await reader.send(webhooks)).body).toEqual([]);
    expect(receiver.received.map(({ event }) => event)).toEqual([
      { type: 'test', timestamp: expect.any(String), data: {} },
    ]);
  });

  test.runIf(driver === 'postgres')('an endpoint that is removed during a test of it responds as usual', async () => {
    const reader = await newReader(service);
    const { id } = await newEndpoint(reader);
    const removing = service.database.transaction(async (transaction) => {
      await transaction.query('delete from webhook_endpoint where id = $1', [id]);
      await vi.waitUntil(() => receiver.received.length > 0, 60_000);
      // Now the attempt is recorded.
      await delay(300);
    });
    const tested = reader.send(`${webhooks}/${id}/test`, 'POST');
    await removing;
    expect((await tested).status).toBe(200);
    expect((await reader.send(webhooks)).body).toEqual([]);
  });

  test('a client has at most 10 endpoints', async () => {
    const reader = await newReader(service);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => reader.send(webhooks, 'POST', { url: receiver.url })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array(10).fill(200),
      409,
      409,
    ]);
    await newEndpoint(await newReader(service));
  });

  test.each([
    'no URL',
    'ftp://host.test/',
    'https://user:secret@host.test/',
    'https://user@host.test/',
    'https://host.test/#part',
    'https://10.0.0.1/',
    'https://2852039166/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    `https://host.test/${'x'.repeat(2000)}`,
  ])('%.40s is no endpoint', async (url) => {
    const reader = await newReader(service);
    const answer = await reader.send(webhooks, 'POST', { url });
    const { errors } = expectProblem(answer, 'invalid-request', { path: `/api/v1/${webhooks}` });
    expect(errors).toMatchObject([{ pointer: '/url' }]);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  test('operators see and manage all endpoints, by their origins', async () => {
    const reader = await newReader(service);
    const { id } = await newEndpoint(reader, `${receiver.url}?key=secret`);
    receiver.respond = withStatus(500);
    await reader.send(`${webhooks}/${id}/test`, 'POST');
    const { body } = await service.send('GET', '/operator/v1/webhook-endpoints', { scope: 'operator' });
    const shown = { id, clientId: reader.clientId, origin: `http://127.0.0.1:${receiver.port}`, failures: 0 };
    expect(body).toMatchObject([{ ...shown, lastDelivery: { type: 'test', status: 500 } }]);
    expect((await operate(`${id}/pause`)).body).toMatchObject({ ...shown, pausedAt: expect.any(String) });
    expect((await reader.send(webhooks)).body).toMatchObject([{ id, pausedAt: expect.any(String) }]);
    expect((await operate(`${id}/resume`)).body).not.toHaveProperty('pausedAt');
    expect((await operate(`${id}/remove`)).body).toMatchObject(shown);
    expect((await operate(`${id}/remove`)).status).toBe(404);
    const events = await service.database.query(
      'select operation, actor = $2 as "isClient" from audit_event where object_id = $1 order by id',
      [id, reader.clientId],
    );
    expect(events).toMatchObject([
      { operation: 'createWebhookEndpoint', isClient: true },
      { operation: 'testWebhookEndpoint', isClient: true },
      { operation: 'operatorPauseWebhookEndpoint', isClient: false },
      { operation: 'operatorResumeWebhookEndpoint', isClient: false },
      { operation: 'operatorRemoveWebhookEndpoint', isClient: false },
    ]);
    const [audit] = await service.database.query<{ text: string }>(
      'select string_agg(to_json(audit_event)::text, $1) as text from audit_event',
      ['\n'],
    );
    expect(service.log.join('') + audit?.text).not.toMatch(/key=secret|whsec_/);
  });

  test('only the origin of a failing endpoint is logged', async () => {
    const reader = await newReader(service);
    receiver.respond = withStatus(500);
    await newEndpoint(reader, `${receiver.url}?key=secret`);
    await change(reader);
    await vi.waitUntil(() => service.log.some((line) => line.includes('A webhook failed.')), 60_000);
    const line = service.log.find((each) => each.includes('A webhook failed.')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      origin: `http://127.0.0.1:${receiver.port}`,
      status: 500,
      outcome: 'failed',
    });
    expect(service.log.join('')).not.toMatch(/key=secret|whsec_/);
  });
});

test('without allowed networks, an endpoint is a public https URL', async () => {
  const service = await startService('postgres');
  onTestFinished(() => service.stop());
  const create = (url: string): Promise<Answer> => service.send('POST', '/api/v1/webhook-endpoints', { body: { url } });
  for (const url of ['http://host.test/', 'https://127.0.0.1/', 'http://127.0.0.1/']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expectProblem(await create(url), 'invalid-request', { path: '/api/v1/webhook-endpoints' });
  }
  const { body } = await create('https://localhost/');
  const { id } = body as Endpoint;
  const tested = await service.send('POST', `/api/v1/webhook-endpoints/${id}/test`);
  expect(tested).toMatchObject({ status: 200, body: { failure: 'address-not-allowed' } });
});

test('a killed process leaves its notice to the next one', async () => {
  const { url, remove } = await emptyDatabase('postgres');
  onTestFinished(() => void remove());
  const service = await startService('postgres', { HR_DATABASE: url });
  await load(service.database, records);
  const reader = await newReader(service);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const env = { HR_DATABASE: url, HR_PORT: '0', HR_LOG_LEVEL: 'silent', ...environment };
  receiver.respond = () => {};
  const [first, second] = [start(['serve'], env), start(['serve'], env)];
  const [address] = await Promise.all([addressOf(first), addressOf(second)]);
  await service.stop();
  const headers = { authorization: `Bearer ${reader.token}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  await send('POST', 'webhook-endpoints', { url: receiver.url });
  await send('PATCH', 'persons/p-1', { addresses: [{ city: 'Ulm' }] });
  await vi.waitUntil(() => receiver.received.length === 1, 60_000);
  // Whichever of them sent it.
  first.kill('SIGKILL');
  second.kill('SIGKILL');
  receiver.respond = withStatus(204);
  const next = await startService('postgres', { HR_DATABASE: url, ...environment });
  onTestFinished(() => next.stop());
  await next.database.query('update webhook_endpoint set leased_until = now()');
  await vi.waitUntil(() => receiver.received.length === 2, 60_000);
  const [lost, sent] = receiver.received;
  expect(sent?.headers['webhook-id']).toBe(lost?.headers['webhook-id']);
});

test('the command line lists, pauses, resumes and removes endpoints', async () => {
  const { url, remove } = await emptyDatabase('postgres');
  const service = await startService('postgres', { HR_DATABASE: url, ...environment });
  const reader = await newReader(service);
  const { id } = (await reader.send('webhook-endpoints', 'POST', { url: 'https://host.test/a?b' })).body as Endpoint;
  await service.stop();
  const printed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(['webhooks', ...args], { HR_DATABASE: url });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  expect(await printed('list')).toMatch(new RegExp(`${id} +${reader.clientId} +https://host.test +active`));
  expect(await printed('pause', id)).toBe(`Endpoint ${id} is paused: it gets nothing until it is resumed.\n`);
  expect(await printed('list')).toMatch(/paused \d{4}-/);
  expect(await printed('resume', id)).toContain('is active');
  expect(await printed('remove', id)).toBe(`Endpoint ${id} is removed.\n`);
  expect(await printed('list')).toBe('There are no webhook endpoints.\n');
  await remove();
});
