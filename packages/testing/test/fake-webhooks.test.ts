import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookEndpointWithSecret } from '@hr/schemas';
import { startFakeHrCloud } from '@hr/testing/fake';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bearer } from './call.ts';

const fake = await startFakeHrCloud({ persons: 2 });
afterAll(() => fake.stop());

interface Notice {
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly response: ServerResponse;
}

/** In the order of their arrival. Each waits for its response. */
let notices: Notice[] = [];
let endpoint: WebhookEndpointWithSecret;
const receiver = createServer((request, response) => {
  void text(request).then((body) =>
    notices.push({ body, headers: request.headers as Record<string, string>, response }),
  );
});
beforeAll(() => once(receiver.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

async function send(method: string, path = '', body?: object): Promise<unknown> {
  const headers = { ...bearer, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await fetch(`${fake.url}/api/v1/webhook-endpoints${path}`, init)).json();
}

beforeEach(async () => {
  fake.reset();
  notices = [];
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  endpoint = (await send('POST', '', { url })) as WebhookEndpointWithSecret;
});

const change = (lastName: string): unknown => fake.persons.add({ ...fake.persons.list()[0], lastName });

/** The next notice, verified, once it is responded to. */
async function received(status: number): Promise<unknown> {
  await vi.waitUntil(() => notices.length > 0);
  const [notice] = notices.splice(0, 1) as [Notice];
  const event = new Webhook(endpoint.secret).verify(notice.body, notice.headers);
  notice.response.writeHead(status).end();
  return event;
}

const changed = { type: 'changes', data: { changed: ['persons'], cursor: expect.any(String) as string } };
const stored = async (): Promise<unknown> => ((await send('GET')) as unknown[])[0];

test('what changes while a notice is under way is told by one more', async () => {
  change('One');
  await vi.waitUntil(() => notices.length > 0);
  for (const name of ['Two', 'Three', 'Four']) change(name);
  expect(await received(204)).toMatchObject(changed);
  expect(await received(204)).toMatchObject(changed);
  await vi.waitFor(async () => expect(await send('GET', `/${endpoint.id}/deliveries`)).toHaveLength(2));
  expect(notices).toEqual([]);
});

test('a notice that failed is told with the next change', async () => {
  change('One');
  await received(500);
  await vi.waitFor(async () => expect(await stored()).toMatchObject({ failures: 1, failingSince: expect.any(String) }));
  fake.absences.add({ personId: fake.persons.list()[0]?.id ?? '', startDate: '2026-01-01' });
  expect(await received(204)).toMatchObject({ data: { changed: ['persons', 'absences'] } });
  await vi.waitFor(async () => expect(await stored()).toMatchObject({ failures: 0 }));
  expect(await stored()).not.toHaveProperty('failingSince');
});

test('a receiver that is gone is removed', async () => {
  change('One');
  await received(410);
  await vi.waitFor(async () => expect(await send('GET')).toEqual([]));
});

test('a notice after the cursor has expired names everything that the client may read', async () => {
  fake.expireCursors('history');
  expect(await received(204)).toMatchObject({
    data: { changed: ['persons', 'timeBookings', 'absences', 'salaries', 'decisions'] },
  });
});
