import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';

const endpointId = 'endpoint-1';
// A provider sends nothing to this machine.
const url = 'https://127.0.0.1:9/';
const createdAt = '2026-02-03T09:15:00+00:00';
const given: ProviderState = ['a webhook endpoint', { id: endpointId, url }];
const request = { path: { endpointId } };
const endpoint = { id: endpointId, url, createdAt, failures: 0 };
const secret = 'whsec_c2hvd24gb25seSBvbmNl';
const delivery = { messageId: 'msg_1', type: 'test', sentAt: createdAt, attempt: 1, durationMs: 8 };

test('a new webhook endpoint', async () => {
  const body = { url: 'https://hooks.example.com/hr' };
  const example = { ...endpoint, ...body, secret };
  await contract.interaction('createWebhookEndpoint', { request: { body }, example }).run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.create(body)).resolves.toEqual(example);
  });
});

test('the webhook endpoints', async () => {
  const other = { ...endpoint, id: 'endpoint-2' };
  const both: ProviderState[] = [given, ['a webhook endpoint', { id: other.id, url }]];
  await contract.interaction('listWebhookEndpoints', { given: both, example: [endpoint, other] }).run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.list()).resolves.toEqual([endpoint, other]);
  });
});

test('the attempts to send to a webhook endpoint', async () => {
  const failed = { ...delivery, type: 'changes', status: 500 };
  const succeeded = { ...failed, attempt: 2, status: 204 };
  const deliveries = [failed, succeeded].map((each): ProviderState => ['a webhook delivery', { endpointId, ...each }]);
  const attempts = contract.interaction('listWebhookDeliveries', {
    given: [given, ...deliveries],
    request,
    example: [failed, succeeded],
  });
  await attempts.run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.deliveries(endpointId)).resolves.toEqual([failed, succeeded]);
  });
});

test('a test of a webhook endpoint', async () => {
  await contract.interaction('testWebhookEndpoint', { given, request, example: delivery }).run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.test(endpointId)).resolves.toEqual(delivery);
  });
});

test('another secret of a webhook endpoint', async () => {
  const example = { ...endpoint, secret };
  await contract.interaction('rotateWebhookSecret', { given, request, example }).run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.rotate(endpointId)).resolves.toEqual(example);
  });
});

test('a webhook endpoint that is removed', async () => {
  await contract.interaction('deleteWebhookEndpoint', { given, request, example: endpoint }).run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.delete(endpointId)).resolves.toEqual(endpoint);
  });
});

test('a webhook endpoint that is unknown', async () => {
  const unknown = contract.interaction('deleteWebhookEndpoint', { request, status: 404 });
  await unknown.run(async (cloud) => {
    await expect(clientFor(cloud).webhooks.delete(endpointId)).rejects.toMatchObject({ code: 'not-found' });
  });
});
