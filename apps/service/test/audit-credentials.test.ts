import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { auditEvents } from './audited.ts';
import { drivers } from './drivers.ts';
import { askToken, basic, inForm, inventToken, newToken, sendForm, takes } from './oauth-form.ts';
import { sharedService } from './service.ts';

const RATE_LIMIT = 40;
/** Personal data, where a request without valid credentials may have it. */
const secret = 'Lovelace-Koenigin';

describe.each(drivers)('the audit of credentials on %s', (driver) => {
  const service = sharedService(driver, { HR_RATE_LIMIT: String(RATE_LIMIT) });

  /** The refusals of an actor, once there are so many: how many requests by operation and status. */
  async function refusals(actor: string, count: number): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    await expect
      .poll(async () => {
        // Not over HTTP, where asking again and again would use up the limit.
        const rows = await service.database.query<{ kind: string; elements: number }>(
          `select operation || ' ' || status as kind, sum(elements)::int as elements from audit_event
          where actor = $1 and access = 'refused' group by kind`,
          [actor],
        );
        for (const { kind, elements } of rows) counts[kind] = elements;
        return rows.reduce((sum, { elements }) => sum + elements, 0);
      })
      .toBeGreaterThanOrEqual(count);
    return counts;
  }

  test('has each token that was issued, and each that was revoked', async () => {
    const client = await service.client();
    const other = await service.client();
    const token = await newToken(service, client);
    const revoke = (credentials = client) => sendForm(service, 'revoke', { token, ...inForm(credentials) });
    await revoke(other);
    await revoke();
    // Ends nothing.
    await revoke();
    await sendForm(service, 'introspect', { token, ...inForm(client) });
    expect(await auditEvents(service, { actor: client.clientId })).toEqual(
      ['requestToken', 'revokeToken'].map((operation) => ({
        id: expect.any(String) as string,
        at: expect.any(String) as string,
        requestId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        actor: client.clientId,
        access: 'change',
        elements: 1,
        operation,
      })),
    );
    expect(await auditEvents(service, { actor: other.clientId, access: 'change' })).toEqual([]);
  });

  test('has refused requests with the client that is known, or without one, and with nothing that they made up', async () => {
    const client = await service.client();
    const disabled = await service.client();
    await service.send('POST', `/operator/v1/clients/${disabled.clientId}/disable`, { scope: 'operator' });
    const requestId = randomUUID();
    const headers = { 'x-request-id': secret };
    const bearer = (token: string) =>
      service.send('GET', '/api/v1/persons', { headers: { ...headers, authorization: `Bearer ${token}` } });
    const credentials = { ...inForm(client), client_secret: 'wrong' };

    const grant = { grant_type: 'client_credentials' };
    await sendForm(service, 'token', { ...grant, ...credentials }, { 'x-request-id': requestId });
    await sendForm(service, 'introspect', { token: 'x', ...credentials }, headers);
    await sendForm(service, 'revoke', { token: 'x' }, { ...headers, ...basic(client.clientId, secret) });
    await askToken(service, disabled);
    await askToken(service, { ...client, clientId: secret });
    await sendForm(service, 'token', { ...grant, client_id: `${secret}\0` }, headers);
    await bearer(secret);
    await bearer(inventToken());
    await service.send('GET', '/operator/v1/clients', { headers: { authorization: '' } });
    const token = await newToken(service, client);
    await service.send('GET', '/operator/v1/clients', { headers: { authorization: `Bearer ${token}` } });

    // A client that never had the secret is not looked up.
    expect(await refusals('unknown', 8)).toEqual({
      'requestToken 401': 3,
      'introspectToken 401': 1,
      'revokeToken 401': 1,
      'listPersons 401': 2,
      'operatorListClients 401': 1,
    });
    expect(await refusals(disabled.clientId, 1)).toEqual({ 'requestToken 401': 1 });
    expect(await refusals(client.clientId, 1)).toEqual({ 'operatorListClients 403': 1 });
    // Those of a second are one event.
    expect(await auditEvents(service, { requestId })).toMatchObject([{ operation: 'requestToken' }]);
    expect(JSON.stringify(await auditEvents(service))).not.toContain(secret);
  });

  test('has requests beyond a limit', async () => {
    const client = await service.client();
    const token = await newToken(service, client);
    let refused = 0;
    // A new window may begin meanwhile.
    for (let round = 0; refused === 0 && round < 5; round++) {
      const requests = Array.from({ length: RATE_LIMIT + 5 }, async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await service.send('GET', '/api/v1/persons/p/absences', { headers })).status;
      });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      refused += (await Promise.all(requests)).filter((status) => status === 429).length;
    }
    expect(refused).toBeGreaterThan(0);
    expect(await refusals(client.clientId, refused)).toEqual({ 'listAbsences 429': refused });
  });

  test('keeps nobody from the response 401 while it cannot be written, and tells of it later', async () => {
    const client = await service.client();
    await service.database.query('alter table audit_event rename to away');
    const { status } = await askToken(service, { ...client, clientId: 'wrong' });
    expect([status, await takes(service, 'x')]).toEqual([401, false]);
    // What is issued is audited or not issued.
    expect((await askToken(service, client)).status).toBe(500);
    const tokens = await service.database.query('select from access_token where client_id = $1', [client.clientId]);
    expect(tokens).toEqual([]);
    await service.database.query('alter table away rename to audit_event');
    expect((await refusals('unknown', 10))['requestToken 401']).toBe(4);
  });
});
