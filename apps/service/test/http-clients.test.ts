import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials, ClientRecord } from '../src/clients/clients.ts';
import type { RotatedClient } from '../src/clients/client-secrets.ts';
import { secretHash } from '../src/clients/secrets.ts';
import { anyDriver } from './drivers.ts';
import { askToken, newToken, takes } from './oauth-form.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const clients = '/operator/v1/clients';
const isMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string;
const DAY_MS = 86_400_000;

describe.each(anyDriver)('clients on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
  });
  afterAll(() => service.stop());

  async function operate<Answer>(action: string, body?: object): Promise<Answer> {
    const answer = await service.send('POST', clients + action, { scope: 'operator', body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Answer;
  }
  const create = (name = 'A test'): Promise<ClientCredentials> => operate('', { name, scope: 'api:use' });
  const rotate = (client: ClientCredentials): Promise<RotatedClient> => operate(`/${client.clientId}/rotate`);
  const retire = (client: ClientCredentials) => operate(`/${client.clientId}/rotate`, { retire: true });
  const list = async (): Promise<ClientRecord[]> =>
    (await service.send('GET', clients, { scope: 'operator' })).body as ClientRecord[];
  const listed = async ({ clientId }: ClientCredentials): Promise<ClientRecord | undefined> =>
    (await list()).find((client) => client.clientId === clientId);
  /** Lets a time pass for the secrets before the current ones. */
  const pass = (time: string): Promise<unknown> =>
    service.database.query(`update client_secret set expires_at = expires_at - interval '${time}'`);
  const statusOf = async (credentials: ClientCredentials): Promise<number> =>
    (await askToken(service, credentials)).status;

  test('are listed, the oldest first, with everything but their secrets', async () => {
    const before = (await list()).length;
    const made = [await create('Zeta'), await create('Älpha "quoted"\n'), await create('Eta')];
    const after = (await list()).slice(before);
    expect(after.map(({ name }) => name)).toEqual(['Zeta', 'Älpha "quoted"\n', 'Eta']);
    expect(after[0]).toEqual({
      clientId: made[0]?.clientId,
      name: 'Zeta',
      scope: 'api:use',
      createdAt: isMoment,
      secrets: [{ createdAt: isMoment }],
    });
  });

  test('tell when they last got a token', async () => {
    const client = await create();
    await askToken(service, { ...client, clientSecret: 'wrong' });
    expect((await listed(client))?.lastTokenAt).toBeUndefined();
    const start = Date.now();
    await newToken(service, client);
    const first = Date.parse((await listed(client))?.lastTokenAt ?? '');
    expect(Math.abs(first - start)).toBeLessThan(10_000);
    await newToken(service, client);
    expect(Date.parse((await listed(client))?.lastTokenAt ?? '')).toBeGreaterThanOrEqual(first);
  });

  test('a rotation keeps the secret before for seven days, and no other', async () => {
    const first = await create();
    const token = await newToken(service, first);
    const [original] = (await listed(first))?.secrets ?? [];
    const { clientSecret, ...second } = await rotate(first);
    expect(second).toEqual({
      ...(await listed(first)),
      secrets: [{ createdAt: isMoment }, { createdAt: isMoment, expiresAt: isMoment }],
    });
    const [current, previous] = second.secrets;
    expect(previous?.createdAt).toBe(original?.createdAt);
    const rotatedAt = Date.parse(current?.createdAt ?? '');
    expect(Date.parse(previous?.expiresAt ?? '') - rotatedAt).toBeGreaterThan(7 * DAY_MS - 10_000);
    expect(Date.parse(previous?.expiresAt ?? '') - rotatedAt).toBeLessThanOrEqual(7 * DAY_MS);
    expect(await statusOf({ ...first, clientSecret })).toBe(200);
    expect(await statusOf(first)).toBe(200);

    expect(await takes(service, token)).toBe(true);
    const third = await rotate(first);
    expect(await takes(service, token)).toBe(false);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf({ ...first, clientSecret })).toBe(200);
    expect(await statusOf(third)).toBe(200);
    expect((await listed(first))?.secrets).toHaveLength(2);

    await pass('7 days - 1 minute');
    expect(await statusOf({ ...first, clientSecret })).toBe(200);
    await pass('1 minute');
    expect(await statusOf({ ...first, clientSecret })).toBe(401);
    expect(await statusOf(third)).toBe(200);
    expect((await listed(first))?.secrets).toEqual([{ createdAt: isMoment }]);
    expect(await retire(first)).toMatchObject({ retired: false });
  });

  test('a retired secret ends at once with its tokens, and no other', async () => {
    const client = await create();
    const none = await retire(client);
    expect(none).toEqual({ ...(await listed(client)), retired: false });
    expect(await statusOf(client)).toBe(200);

    const { clientSecret } = await rotate(client);
    const [token, kept] = [await newToken(service, client), await newToken(service, { ...client, clientSecret })];
    expect([await takes(service, token), await takes(service, kept)]).toEqual([true, true]);
    const ended = await retire(client);
    expect(ended).toEqual({ ...(await listed(client)), retired: true, secrets: [{ createdAt: isMoment }] });
    expect(await statusOf(client)).toBe(401);
    expect(await statusOf({ ...client, clientSecret })).toBe(200);
    expect([await takes(service, token), await takes(service, kept)]).toEqual([false, true]);
    expect(await retire(client)).toMatchObject({ retired: false });
  });

  test('a token ends with the previous secret that it was got with', async () => {
    const client = await create();
    await rotate(client);
    await pass('7 days - 1 minute');
    const { body } = await askToken(service, client);
    expect(body['expires_in']).toBeGreaterThan(0);
    expect(body['expires_in']).toBeLessThanOrEqual(60);
    const [left] = await service.database.query<{ seconds: number }>(
      `select extract(epoch from max(access_token.expires_at) - min(client_secret.expires_at))::int as seconds
      from access_token join client_secret using (client_id) where client_id = $1`,
      [client.clientId],
    );
    expect(left).toEqual({ seconds: 0 });
  });

  test('a disabled one has no tokens and gets none, until it is enabled; the old ones stay ended', async () => {
    const client = await create();
    const tokens = [await newToken(service, client), await newToken(service, client)];
    for (const token of tokens) {
      // oxlint-disable-next-line no-await-in-loop -- the service remembers them from now on
      expect(await takes(service, token)).toBe(true);
    }
    const disabled = await operate<ClientRecord>(`/${client.clientId}/disable`);
    expect(await Promise.all(tokens.map((token) => takes(service, token)))).toEqual([false, false]);
    expect(disabled).toMatchObject({ clientId: client.clientId, disabledAt: isMoment });
    expect(disabled).toEqual(await listed(client));

    const wrong = await askToken(service, { ...client, clientSecret: 'wrong' });
    const refused = await askToken(service, client);
    expect([refused.status, refused.body]).toEqual([401, wrong.body]);
    expect(refused.body).toMatchObject({ error: 'invalid_client' });
    // Since then, however often.
    expect(await operate(`/${client.clientId}/disable`, {})).toEqual(disabled);

    const rotated = await rotate(client);
    expect(rotated).toMatchObject({ disabledAt: disabled.disabledAt });
    expect(await statusOf(rotated)).toBe(401);

    expect(await operate(`/${client.clientId}/enable`)).not.toHaveProperty('disabledAt');
    expect(await Promise.all(tokens.map((token) => takes(service, token)))).toEqual([false, false]);
    expect(await takes(service, await newToken(service, client))).toBe(true);
    expect(await takes(service, await newToken(service, rotated))).toBe(true);
  });

  test('disabling one leaves the others alone', async () => {
    const [client, other] = [await create(), await create()];
    const token = await newToken(service, other);
    await operate(`/${client.clientId}/disable`);
    expect(await takes(service, token)).toBe(true);
    expect(await statusOf(other)).toBe(200);
    expect(await listed(other)).not.toHaveProperty('disabledAt');
  });

  test('an operator cannot disable himself, and another can', async () => {
    const operator = await service.client('operator');
    const headers = { authorization: `Bearer ${await newToken(service, operator)}` };
    const path = `${clients}/${operator.clientId}/disable`;
    expect(await service.send('POST', path, { headers })).toMatchObject({
      status: 403,
      body: { detail: 'A client cannot disable itself: another operator or the command line can.' },
    });
    expect(await service.send('GET', clients, { headers })).toMatchObject({ status: 200 });
    expect(await service.send('POST', path, { scope: 'operator' })).toMatchObject({ status: 200 });
    expect(await service.send('GET', clients, { headers })).toMatchObject({ status: 401 });
  });

  test.each([
    [404, '/nobody/disable', undefined, 'There is no client with this id.'],
    [404, '/nobody/enable', undefined, 'There is no client with this id.'],
    [404, '/nobody/rotate', undefined, 'There is no client with this id.'],
    [404, '/nobody/rotate', { retire: true }, 'There is no client with this id.'],
    [400, '/nobody/rotate', { retire: 'yes' }, '/retire '],
    [400, '/nobody/rotate', { retired: true }, '/retired '],
    [400, '/nobody/disable', { reason: 'x' }, '/reason '],
    [400, '', { name: '', scope: 'api:use' }, '/name '],
    [400, '', { name: 'x', scope: 'root' }, '/scope '],
    [400, '', { name: 'x' }, '/scope '],
  ])('%i: POST %s %j', async (status, path, body, detail) => {
    const answer = await service.send('POST', clients + path, { scope: 'operator', body });
    expect(answer).toMatchObject({ status, body: { detail: expect.stringContaining(detail) as string } });
  });

  test.each([
    ['GET', ''],
    ['POST', ''],
    ['POST', '/x/disable'],
    ['POST', '/x/enable'],
    ['POST', '/x/rotate'],
  ])('%s %s needs an operator', async (method, path) => {
    expect((await service.send(method, clients + path)).status).toBe(403);
    expect((await service.send(method, clients + path, { headers: { authorization: '' } })).status).toBe(401);
  });

  test('are audited, and no secret and no token is kept, logged or shown', async () => {
    const client = await create();
    const { clientSecret } = await rotate(client);
    const tokens = [await newToken(service, client), await newToken(service, { ...client, clientSecret })];
    await retire(client);
    await operate(`/${client.clientId}/disable`);
    await operate(`/${client.clientId}/enable`);
    const events = await service.database.query<{ operation: string }>(
      'select operation, access, elements from audit_event where object_id = $1 order by id',
      [client.clientId],
    );
    expect(events).toEqual(
      ['CreateClient', 'RotateSecret', 'RotateSecret', 'DisableClient', 'EnableClient'].map((name) => ({
        operation: `operator${name}`,
        access: 'change',
        elements: 1,
      })),
    );
    const rows = await Promise.all(
      ['api_client', 'client_secret', 'access_token', 'audit_event'].map((table) =>
        service.database.query<{ rows: string }>(
          `select coalesce(string_agg(row::text, ''), '') as rows from ${table} as row`,
        ),
      ),
    );
    const shown = service.log.join('') + JSON.stringify(await list());
    for (const secret of [client.clientSecret, clientSecret, ...tokens]) {
      expect(shown + JSON.stringify(rows)).not.toContain(secret);
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(shown).not.toContain(secretHash(secret).toString(encoding));
      }
    }
  });
});
