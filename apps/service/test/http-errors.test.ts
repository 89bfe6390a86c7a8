import { describe, expect, test, vi } from 'vitest';
import { DatabaseBusyError, DatabaseUnavailableError } from '../src/database/database-errors.ts';
import { anyDriver } from './drivers.ts';
import { sharedService } from './service.ts';

const persons = '/api/v1/persons';

describe.each(anyDriver)('errors on %s', (driver) => {
  const service = sharedService(driver);

  test.each([
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready' }],
  ])('%s is answered without a token', async (path, body) => {
    const answer = await service.send('GET', path, { headers: { authorization: '' } });
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'application/json', body]);
  });

  test('a service whose database is gone tells for how long it is not ready', async () => {
    vi.spyOn(service.database, 'check').mockRejectedValueOnce(new Error('gone'));
    const { status, headers } = await service.send('GET', '/readyz', { headers: { authorization: '' } });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  test.each([
    [new DatabaseBusyError(100), 429, '1'],
    [new DatabaseUnavailableError({ cause: new Error('geheim') }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'conflict' }), 503, '5'],
    [new DatabaseUnavailableError({ reason: 'statementTimeout' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'full' }), 503, null],
    [new DatabaseUnavailableError({ reason: 'notReplicated', mayBeStored: true }), 503, '5'],
    [new Error('geheim: Ada König'), 500, null],
  ])('%s is answered without a word about the cause', async (fault, status, retryAfter) => {
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(fault);
    const answer = await service.send('GET', persons);
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(JSON.stringify(answer.body) + service.log.join('')).not.toContain('geheim');
  });
});
