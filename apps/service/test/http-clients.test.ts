import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientCredentials, ClientRecord } from '../src/clients/clients.ts';
import type { RetiredClient, RotatedClient } from '../src/clients/client-secrets.ts';
import { secretHash } from '../src/clients/secrets.ts';
import { anyDriver } from './drivers.ts';
import { askToken, newToken, takes } from './oauth-form.ts';
import { sharedService } from './service.ts';

const clients = '/operator/v1/clients';
const isMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string;
const DAY_MS = 86_400_000;

const step = fc.tuple(fc.constantFrom('rotate', 'retire', 'disable', 'enable', 'wait'), fc.integer({ min: 1, max: 8 }));

/** What is to be true of a client, by the words of the documentation. */
interface Model {
  disabled: boolean;
  current: string;
  previous?: { readonly secret: string; readonly daysLeft: number };
  readonly ended: string[];
  /** The secret that each token was got with, `undefined` if the token has ended. */
  readonly tokens: Map<string, string | undefined>;
}

describe.each(anyDriver)('clients on %s', (driver) => {
  const service = sharedService(driver, { HR_TRUSTED_PROXY: '127.0.0.1' });
  let addresses = 1;

  async function operate<Answer>(action: string, body?: object): Promise<Answer> {
    const answer = await service.send('POST', clients + action, { scope: 'operator', body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Answer;
  }
  const create = (name = 'A test'): Promise<ClientCredentials> => operate('', { name, scope: 'api:use' });
  const rotate = (client: ClientCredentials): Promise<RotatedClient> => operate(`/${client.clientId}/rotate`);
  const retire = (client: ClientCredentials): Promise<RetiredClient> =>
    operate(`/${client.clientId}/rotate`, { retire: true });
  const list = async (): Promise<ClientRecord[]> =>
    (await service.send('GET', clients, { scope: 'operator' })).body as ClientRecord[];
  const listed = async ({ clientId }: ClientCredentials): Promise<ClientRecord | undefined> =>
    (await list()).find((client) => client.clientId === clientId);
  /** Lets a time pass for the secrets before the current ones. */
  const pass = (time: string): Promise<unknown> =>
    service.database.query(`update client_secret set expires_at = expires_at - interval '${time}'`);

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

  test('a rotation tells of the current secret and, for seven days or until it is retired, the one before', async () => {
    const client = await create();
    const [original] = (await listed(client))?.secrets ?? [];
    expect(await retire(client)).toEqual({ ...(await listed(client)), retired: false });
    const { clientSecret: _secret, ...rotated } = await rotate(client);
    expect(rotated).toEqual({
      ...(await listed(client)),
      secrets: [{ createdAt: isMoment }, { createdAt: original?.createdAt, expiresAt: isMoment }],
    });
    const [current, previous] = rotated.secrets;
    const keptMs = Date.parse(previous?.expiresAt ?? '') - Date.parse(current?.createdAt ?? '');
    expect(keptMs).toBeGreaterThan(7 * DAY_MS - 10_000);
    expect(keptMs).toBeLessThanOrEqual(7 * DAY_MS);
    expect((await rotate(client)).secrets).toHaveLength(2);

    const one = [{ createdAt: isMoment }];
    expect(await retire(client)).toEqual({ ...(await listed(client)), retired: true, secrets: one });
    await rotate(client);
    await pass('7 days');
    expect((await listed(client))?.secrets).toEqual(one);
    expect(await retire(client)).toMatchObject({ retired: false });
  });

  test('a token ends with the previous secret that it was got with', async () => {
    const client = await create();
    await rotate(client);
    await pass('7 days - 1 minute');
    const { body } = await askToken(service, client);
    expect(body['expires_in']).toBeGreaterThan(0);
    expect(body['expires_in']).toBeLessThanOrEqual(60);
    const left = await service.database.query(
      `select extract(epoch from max(access_token.expires_at) - min(client_secret.expires_at))::int as seconds
      from access_token join client_secret using (client_id) where client_id = $1`,
      [client.clientId],
    );
    expect(left).toEqual([{ seconds: 0 }]);
  });

  test('a disabled one tells since when, and is refused as one with a wrong secret is', async () => {
    const client = await create();
    const disabled = await operate<ClientRecord>(`/${client.clientId}/disable`);
    expect(disabled).toMatchObject({ clientId: client.clientId, disabledAt: isMoment });
    expect(disabled).toEqual(await listed(client));
    const wrong = await askToken(service, { ...client, clientSecret: 'wrong' });
    const refused = await askToken(service, client);
    expect([refused.status, refused.body]).toEqual([401, wrong.body]);
    // Since then, however often.
    expect(await operate(`/${client.clientId}/disable`, {})).toEqual(disabled);
    expect(await rotate(client)).toMatchObject({ disabledAt: disabled.disabledAt });
    expect(await operate(`/${client.clientId}/enable`)).not.toHaveProperty('disabledAt');
  });

  test.each([
    ['/name ', { name: '', scope: 'api:use' }],
    ['/scope ', { name: 'x' }],
  ])('are not made without %s', async (detail, body) => {
    const answer = await service.send('POST', clients, { scope: 'operator', body });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) as string } });
  });

  test('whatever is done to one, exactly the secrets and tokens are valid that should be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const client = await service.client();
        const model: Model = { disabled: false, current: client.clientSecret, ended: [], tokens: new Map() };
        const endPrevious = (): void => {
          if (model.previous) model.ended.push(model.previous.secret);
          delete model.previous;
        };
        const keepTokensOf = (...secrets: string[]): void => {
          for (const [token, secret] of model.tokens) {
            if (secret === undefined || !secrets.includes(secret)) model.tokens.set(token, undefined);
          }
        };

        const does: Record<(typeof steps)[number][0], (days: number) => Promise<void>> = {
          async rotate() {
            const { clientSecret } = await rotate(client);
            endPrevious();
            keepTokensOf(model.current, clientSecret);
            model.previous = { secret: model.current, daysLeft: 7 };
            model.current = clientSecret;
          },
          async retire() {
            const { retired } = await retire(client);
            expect(retired).toBe(model.previous !== undefined);
            endPrevious();
            keepTokensOf(model.current);
          },
          async disable() {
            await operate(`/${client.clientId}/disable`);
            model.disabled = true;
            for (const token of model.tokens.keys()) model.tokens.set(token, undefined);
          },
          async enable() {
            await operate(`/${client.clientId}/enable`);
            model.disabled = false;
          },
          async wait(days) {
            await service.database.query(
              'update client_secret set expires_at = expires_at - make_interval(days => $2) where client_id = $1',
              [client.clientId, days],
            );
            const daysLeft = (model.previous?.daysLeft ?? 0) - days;
            if (daysLeft <= 0) endPrevious();
            else if (model.previous) model.previous = { ...model.previous, daysLeft };
          },
        };

        for (const [name, days] of steps) {
          // oxlint-disable no-await-in-loop -- one after the other
          await does[name](days);
          // Each time from another address: there is a limit for failures of one.
          const from = { 'x-forwarded-for': `2001:db8:0:${(addresses++).toString(16)}::1` };
          const valid = [model.current, ...(model.previous ? [model.previous.secret] : [])];
          for (const clientSecret of [...valid, ...model.ended]) {
            const { status, body } = await askToken(service, { ...client, clientSecret }, from);
            expect(status === 200).toBe(!model.disabled && valid.includes(clientSecret));
            if (status === 200) model.tokens.set(String(body['access_token']), clientSecret);
          }
          for (const [token, secret] of model.tokens) {
            expect(await takes(service, token, from)).toBe(secret !== undefined);
          }
          // oxlint-enable no-await-in-loop
        }
      }),
      { numRuns: 12 },
    );
  });

  test('are audited, and no secret and no token is kept, logged or shown', async () => {
    const client = await create();
    const { clientSecret } = await rotate(client);
    const tokens = [await newToken(service, client), await newToken(service, { ...client, clientSecret })];
    await retire(client);
    await operate(`/${client.clientId}/disable`);
    await operate(`/${client.clientId}/enable`);
    const events = await service.database.query(
      'select operation, access, elements from audit_event where object_id = $1 order by id',
      [client.clientId],
    );
    const operations = ['CreateClient', 'RotateSecret', 'RotateSecret', 'DisableClient', 'EnableClient'];
    expect(events).toEqual(operations.map((name) => ({ operation: `operator${name}`, access: 'change', elements: 1 })));
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
