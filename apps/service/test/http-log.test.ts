import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { anyDriver } from './drivers.ts';
import { contractRecords, sharedService, type TestService } from './service.ts';

/** Personal data, in every place that a request or an answer has for it. */
const secrets = {
  id: 'id-4711-ada',
  name: 'Lovelace-Königin',
  iban: 'DE02120300000000202051',
  contract: 'contract-0815',
  component: 'BONUS-GEHEIM',
  reason: 'wegen-krankheit',
  query: '1899-12-24',
};

describe.each(anyDriver)('the log on %s', (driver) => {
  const service = sharedService(driver, {}, [
    ...contractRecords(secrets.id, secrets.contract),
    { kind: 'person', id: secrets.id, lastName: secrets.name },
    { kind: 'absence', id: 'a', personId: secrets.id, startDate: '2026-01-01' },
  ]);

  test('has one line a request, and nothing personal or secret in any', async () => {
    const { clientId, clientSecret } = await service.client();
    const tokens = [await service.token(), await service.token('operator')];
    const before = service.log.length;
    const person = `/api/v1/persons/${secrets.id}`;
    const payments = `/api/v1/payrollContract/${secrets.contract}/variable-payments`;
    const payment = { compensationComponentId: secrets.component, amount: 1 };
    const form = {
      headers: { authorization: '', 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${secrets.name}&client_secret=${clientSecret}`,
    };
    const reason = { scope: 'operator', body: { reason: secrets.reason } } as const;
    const requests: Parameters<TestService['send']>[] = [
      ['GET', `/api/v1/persons?changedSince=${secrets.query}`],
      ['PATCH', person, { body: { bankDetails: { iban: secrets.iban, payee: secrets.name } } }],
      ['PATCH', person, { body: { [secrets.name]: secrets.iban } }],
      ['PATCH', person, { body: `{"${secrets.name}` }],
      ['GET', `${person}/absences?${secrets.name}=${secrets.query}`],
      ['GET', `${person}/%zz`],
      ['DELETE', person],
      ['GET', `/${secrets.name}`],
      ['GET', '/api/v1/persons', { headers: { authorization: `Bearer ${secrets.name}` } }],
      ['GET', '/api/v1/persons', { headers: { 'x-request-id': `${secrets.name}!` } }],
      ['POST', `${payments}?billingPeriod=2026-01`, { body: payment }],
      ['GET', payments],
      ['POST', '/operator/v1/variable-payments/1/approve', reason],
      ['POST', '/api/oauth2/token', form],
    ];
    // oxlint-disable-next-line no-await-in-loop -- in this order
    for (const request of requests) await service.send(...request);
    vi.spyOn(service.database, 'list').mockRejectedValueOnce(new Error(`${secrets.name}\n    at ${secrets.iban}`));
    await service.send('GET', '/api/v1/persons');
    await expect.poll(() => service.log.length).toBe(before + requests.length + 1);

    const log = service.log.join('');
    for (const secret of [...Object.values(secrets), ...tokens, clientSecret, clientId]) {
      expect(log).not.toContain(secret);
      expect(log).not.toContain(encodeURIComponent(secret));
    }
    const lines = service.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    const names = new Set(lines.flatMap((line) => Object.keys(line)));
    expect([...names].toSorted()).toEqual(
      ['level', 'time', 'pid', 'hostname', 'requestId', 'operation', 'method', 'route', 'status', 'durationMs']
        .concat('clientId', 'error')
        .toSorted(),
    );
    expect(lines[1]).toMatchObject({
      operation: 'updatePerson',
      method: 'PATCH',
      route: '/api/v1/persons/:id',
      status: 200,
      clientId: expect.stringMatching(/^hr-/) as string,
    });
    expect(lines.at(-1)).toMatchObject({ level: 50, status: 500, error: { name: 'Error' } });
    expect(JSON.stringify(lines.at(-1))).toContain('http-log.test.ts');
  });

  test.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '0af7651916cd43dd8448eb211c80319c'],
    ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', '0af7651916cd43dd8448eb211c80319c'],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', undefined],
    ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', undefined],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
    [secrets.name, undefined],
  ])('has the trace id of the traceparent %s: %s', async (traceparent, traceId) => {
    const sent = randomUUID();
    const headers = { 'x-request-id': sent, traceparent: encodeURIComponent(traceparent) };
    await service.send('GET', '/api/v1/persons', { headers });
    const line = (): string | undefined => service.log.find((one) => one.includes(sent));
    await expect.poll(line).toBeDefined();
    expect((JSON.parse(line() ?? '') as Record<string, unknown>)['traceId']).toBe(traceId);
  });
});
