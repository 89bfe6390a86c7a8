import {
  casesOf,
  decided,
  having,
  notFound,
  ok,
  problem,
  when,
  type CaseRequest,
  type Cases,
} from './behaviour-case.ts';
import type { ProviderState } from '../states/provider-states.ts';

const endpoints = '/api/v1/webhook-endpoints';
const url = 'https://hooks.example.com/hr';
const endpoint: ProviderState = ['a webhook endpoint', { id: 'e1', url: 'https://127.0.0.1:9/' }];
const shown = { id: 'e1', url: 'https://127.0.0.1:9/', createdAt: 'an instant', failures: 0 };
const attempt = {
  messageId: 'string',
  type: 'test',
  sentAt: 'an instant',
  attempt: 1,
  failure: 'string',
  durationMs: 'number',
};
const list = `GET ${endpoints}`;
const create = (given: unknown): CaseRequest => [`POST ${endpoints}`, { body: { url: given } }];
const remove = `DELETE ${endpoints}/e1`;
const sendTest = `POST ${endpoints}/e1/test`;

const invalidUrls = [
  'no URL',
  'ftp://hooks.example.com/',
  'https://user@hooks.example.com/',
  'https://hooks.example.com/#part',
];
const ofOneEndpoint = [
  `GET ${endpoints}/e2/deliveries`,
  `POST ${endpoints}/e2/test`,
  `POST ${endpoints}/e2/rotate`,
  `DELETE ${endpoints}/e2`,
];

/** The webhook endpoints of a client, an extension (section 6). */
export const webhookCases: Cases = decided({
  'a new webhook endpoint has a secret': when(
    [],
    ok(having({ url, createdAt: 'an instant', failures: 0, secret: 'a secret' })),
    create(url),
  ),
  'a new webhook endpoint is listed without its secret': when(
    [],
    ok([having({ url, createdAt: 'an instant', failures: 0, secret: undefined })]),
    create(url),
    list,
  ),
  'the URL of a webhook endpoint is normalized': when(
    [],
    ok(having({ url: 'https://hooks.example.com/' })),
    create('HTTPS://hooks.EXAMPLE.com'),
  ),
  ...casesOf(invalidUrls, (given) => [
    `${given} is rejected as a webhook endpoint`,
    when([], problem('invalid-request', '/url wrong-format'), create(given)),
  ]),
  'an 11th webhook endpoint is rejected': when(
    [endpoint],
    problem('conflict'),
    create(url),
    ...Array.from({ length: 9 }, () => create(url)),
  ),
  'a webhook endpoint gets another secret': when(
    [endpoint],
    ok({ ...shown, secret: 'a secret' }),
    `POST ${endpoints}/e1/rotate`,
  ),
  'a webhook endpoint without attempts has no deliveries': when([endpoint], ok([]), `GET ${endpoints}/e1/deliveries`),
  'a test of a webhook endpoint is sent at once': when([endpoint], ok(attempt), sendTest),
  'a test of a webhook endpoint is one of its deliveries': when(
    [endpoint],
    ok([attempt]),
    sendTest,
    `GET ${endpoints}/e1/deliveries`,
  ),
  'a test that fails is no failure of the webhook endpoint': when([endpoint], ok([shown]), sendTest, list),
  'a webhook endpoint is removed, and shown a last time': when([endpoint], ok(shown), remove),
  'a removed webhook endpoint is not listed': when([endpoint], ok([]), remove, list),
  'a removed webhook endpoint is not found': notFound([endpoint], remove, remove),
  ...casesOf(ofOneEndpoint, (request) => [`${request} is not found`, notFound([endpoint], request)]),
});
