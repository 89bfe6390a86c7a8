import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { anyDriver } from './drivers.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

describe.each(anyDriver)('without a token on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
  });
  afterAll(() => service.stop());

  test.each([
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready' }],
  ])('%s is answered', async (path, body) => {
    const answer = await service.send('GET', path, { headers: { authorization: '' } });
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test('a service whose database is gone lives and is not ready', async () => {
    expect((await service.send('GET', '/livez', { headers: { authorization: '' } })).status).toBe(200);
    vi.spyOn(service.database, 'check').mockRejectedValueOnce(new Error('gone'));
    const answer = await service.send('GET', '/readyz', { headers: { authorization: '' } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });
});
