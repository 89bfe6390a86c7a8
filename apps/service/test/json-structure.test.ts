import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService('postgres');
});
afterAll(() => service.stop());

test.each([
  [
    'POST',
    '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01',
    '{"compensationComponentId":"A","amount":1,"am\\u006funt":1000}',
    '/amount must be given only once.',
  ],
  [
    'PATCH',
    '/api/v1/persons/p-1',
    '{"addresses":[{},{"city":"A","city":"B"}]}',
    '/addresses/1/city must be given only once.',
  ],
  [
    'PATCH',
    '/api/v1/persons/p-1',
    `{"addresses":${'['.repeat(32)}${']'.repeat(32)}}`,
    'The body is nested more than 32 levels deep.',
  ],
])('400: %s %s %s', async (method, path, body, detail) => {
  const answer = await service.send(method, path, { body });
  expect([answer.status, answer.body]).toMatchObject([400, { detail }]);
});

test('400: also what an operator sends', async () => {
  const body = '{"name":"a","scope":"api:use","scope":"operator"}';
  const answer = await service.send('POST', '/operator/v1/clients', { scope: 'operator', body });
  expect([answer.status, answer.body]).toMatchObject([400, { detail: '/scope must be given only once.' }]);
});
