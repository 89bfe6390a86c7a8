import fc from 'fast-check';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCursors } from '../src/changes/cursors.ts';
import { changesAfter } from '../src/changes/positions.ts';
import { visibleKinds } from '../src/changes/visible-kinds.ts';
import { findGrants, grantClient } from '../src/clients/client-grants.ts';
import { createClient, disableClient, enableClient } from '../src/clients/clients.ts';
import { createCredentialKeys } from '../src/clients/credential-keys.ts';
import { openDatabase } from '../src/database/open-database.ts';
import type { Database } from '../src/database/database.ts';
import { createWebhookEndpoint, deliveriesOf, pauseEndpoint, rotateWebhookSecret } from '../src/webhooks/endpoints.ts';
import { retryDelaySeconds } from '../src/webhooks/retries.ts';
import type { WebhookDelivery } from '@hr/schemas';
import { createWebhooks, type Webhooks } from '../src/webhooks/webhooks.ts';
import { jsonArray } from '../src/database/list-page.ts';
import { drivers, repetitions } from './drivers.ts';
import { storePatch } from './feed.ts';
import { ownDatabase } from './own-database.ts';
import { load } from './service.ts';
import { startReceiver, withStatus, type Received, type Receiver } from './webhook-receiver.ts';

const webhookNetworks = ['127.0.0.0/8'];

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

// oxlint-disable no-await-in-loop -- one step after the other

describe.each(drivers)('webhooks on %s', (driver) => {
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let database: Database;
  /** Another process on the same database, where there can be one. */
  let otherDatabase: Database;
  let receiver: Receiver;
  let clientId: string;
  let process: Webhooks;

  beforeAll(async () => {
    own = await ownDatabase(driver);
    ({ database } = own);
    otherDatabase = driver === 'pglite' ? database : await openDatabase(own.url);
    await load(database, [
      { kind: 'person', id: 'p-1' },
      { kind: 'person', id: 'p-2' },
    ]);
    return async () => {
      if (driver !== 'pglite') await otherDatabase.close();
      await own.remove();
    };
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    process = newProcess();
    ({ clientId } = await createClient(database, { name: 'a test', scope: 'api:use' }));
    // As if it had a token: only then does a change of its grants count.
    await database.query('update api_client set last_token_at = now() where client_id = $1', [clientId]);
  });
  afterEach(async () => {
    await receiver.stop();
    await database.query('delete from webhook_endpoint');
  });

  function newProcess(on = database, stopping = new AbortController().signal): Webhooks {
    const cursors = createCursors(createCredentialKeys(on));
    const log = pino({ level: 'silent' });
    return createWebhooks({ database: on, cursors, log, config: { webhookNetworks }, stopping, drainMs: 1 });
  }

  async function newEndpoint(owner = clientId, url = receiver.url): Promise<Endpoint> {
    const { json } = await database.transaction((transaction) => createWebhookEndpoint(transaction, owner, url));
    return JSON.parse(json as string) as Endpoint;
  }

  let houseNumber = 0;
  const change = (id = 'p-1'): Promise<void> =>
    storePatch(database, id, { addresses: [{ houseNumber: String(++houseNumber) }] });
  /** Lets time pass, so that what waits for it is due. */
  const pass = async (): Promise<void> =>
    void (await database.query('update webhook_endpoint set due_at = now(), leased_until = now()'));

  const setGrants = (grants: Parameters<typeof grantClient>[2]) =>
    database.transaction((transaction) => grantClient(transaction, clientId, grants));

  async function deliveries(endpointId: string): Promise<WebhookDelivery[]> {
    return JSON.parse((await jsonArray(database, deliveriesOf(endpointId))).json as string) as WebhookDelivery[];
  }
  async function row(id: string): Promise<Record<string, unknown> | undefined> {
    const [found] = await database.query<{ row: Record<string, unknown> }>(
      'select to_jsonb(webhook_endpoint) as row from webhook_endpoint where id = $1',
      [id],
    );
    return found?.row;
  }

  /** What a client sees after a cursor, as `GET /api/v1/changes` tells it. */
  async function kindsAfter(cursor: string): Promise<string[]> {
    const [client] = await database.query<{ grants: string | null }>(
      'select grants_change::text as grants from api_client where client_id = $1',
      [clientId],
    );
    const grants = (await findGrants(database, clientId)) as NonNullable<Awaited<ReturnType<typeof findGrants>>>;
    const grant = {
      ...grants,
      clientId,
      scope: 'api:use',
      expiresAt: 0,
      grantsChange: client?.grants ?? null,
    } as const;
    const position = await createCursors(createCredentialKeys(database)).positionOf(cursor, grant);
    const later = await changesAfter(database, position);
    if (typeof later === 'string') throw new Error(later);
    return visibleKinds(later.changes, grant);
  }

  const only = (): Received => {
    expect(receiver.received).toHaveLength(1);
    return receiver.received[0] as Received;
  };

  test('nothing is sent until something changes', async () => {
    await newEndpoint();
    await process.sendDue();
    expect(receiver.received).toEqual([]);
  });

  test('a look counts the endpoints of each state', async () => {
    const [{ id: failing }, { id: paused }] = [await newEndpoint(), await newEndpoint(), await newEndpoint()];
    await database.query('update webhook_endpoint set failing_since = now() where id = any($1::text[])', [
      [failing, paused],
    ]);
    await database.transaction((transaction) => pauseEndpoint(transaction, { endpointId: paused }));
    await process.sendDue();
    expect(process.endpointStates()).toEqual({ active: 1, failing: 1, paused: 1 });
  });

  test('a notice tells the kinds and a cursor that knows of them, signed as in Standard Webhooks', async () => {
    const { secret } = await newEndpoint();
    await change();
    await process.sendDue();
    const notice = only();
    expect(notice.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[\w-]{24}$/),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(notice.text, headersOf(notice))).toEqual(notice.event);
    expect(notice.event).toEqual({
      type: 'changes',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { cursor: expect.any(String), changed: ['persons'] },
    });
    expect(await kindsAfter(notice.event.data.cursor)).toEqual([]);
    await process.sendDue();
    only();
  });

  test('after a rotation both secrets sign, and later only the new one', async () => {
    const endpoint = await newEndpoint();
    const rotated = await database.transaction((transaction) =>
      rotateWebhookSecret(transaction, { endpointId: endpoint.id, clientId }),
    );
    const { secret } = JSON.parse(rotated?.json as string) as Endpoint;
    await change();
    await process.sendDue();
    const notice = only();
    expect(notice.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const each of [secret, endpoint.secret]) new Webhook(each).verify(notice.text, headersOf(notice));
    await database.query('update webhook_endpoint set previous_until = now()');
    await change();
    await process.sendDue();
    const last = receiver.received.at(-1) as Received;
    new Webhook(secret).verify(last.text, headersOf(last));
    expect(() => new Webhook(endpoint.secret).verify(last.text, headersOf(last))).toThrow(
      'No matching signature found',
    );
  });

  test('a slow receiver gets one notice of all that came meanwhile', async () => {
    await newEndpoint();
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.respond = async (response) => {
      arrived.resolve();
      await answer.promise;
      response.writeHead(200).end();
    };
    await change();
    const sending = process.sendDue();
    await arrived.promise;
    for (let count = 0; count < 5; count++) await change();
    await load(database, [{ kind: 'timeDay', personId: 'p-1', date: '2026-01-02', targetTime: ++houseNumber / 10 }]);
    await newProcess(otherDatabase).sendDue();
    only();
    answer.resolve();
    await sending;
    expect(receiver.received.map(({ event }) => event.data.changed)).toEqual([
      ['persons'],
      ['persons', 'timeBookings'],
    ]);
    expect(await kindsAfter(receiver.received[1]?.event.data.cursor ?? '')).toEqual([]);
  });

  test('what fails is sent again, later and later, with the same id until it tells more', async () => {
    const { id } = await newEndpoint();
    receiver.respond = withStatus(500);
    await change();
    for (let count = 0; count < 3; count++) {
      await process.sendDue();
      // Not before its time.
      await process.sendDue();
      expect(receiver.received).toHaveLength(count + 1);
      await pass();
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    const told = receiver.received.map(({ event: { timestamp, data } }) => `${timestamp} ${data.changed.join(', ')}`);
    expect(new Set(told).size).toBe(1);
    await change('p-2');
    receiver.respond = withStatus(200);
    await process.sendDue();
    expect(ids).not.toContain(receiver.received.at(-1)?.headers['webhook-id']);
    expect(await deliveries(id)).toMatchObject([
      { attempt: 1, status: 500, type: 'changes', messageId: ids[0] },
      { attempt: 2, status: 500 },
      { attempt: 3, status: 500 },
      { attempt: 4, status: 200, durationMs: expect.any(Number), sentAt: expect.any(String) },
    ]);
    expect(await row(id)).toMatchObject({ failures: 0, failing_since: null, leased_until: null });
  });

  test('after three days of failures an endpoint is paused, and the audit tells so', async () => {
    const { id } = await newEndpoint();
    receiver.respond = withStatus(302, { location: receiver.url });
    await change();
    await process.sendDue();
    expect(await row(id)).toMatchObject({ failures: 1, paused_at: null });
    await pass();
    await database.query(`update webhook_endpoint set failing_since = now() - interval '3 days'`);
    await process.sendDue();
    expect(await row(id)).toMatchObject({ failures: 2, paused_at: expect.any(String) });
    const events = await database.query('select actor, operation, access from audit_event where object_id = $1', [id]);
    expect(events).toEqual([{ actor: 'service', operation: 'pauseWebhookEndpoint', access: 'change' }]);
    await pass();
    await process.sendDue();
    expect(receiver.received).toHaveLength(2);
    // A test that fails changes nothing, one that succeeds ends the pause.
    const meant = { endpointId: id, origin: { actor: clientId, requestId: 'r-1' } };
    const failed = await process.test(meant);
    expect(JSON.parse(failed?.json as string)).toMatchObject({ type: 'test', status: 302 });
    expect(await row(id)).toMatchObject({ paused_at: expect.any(String) });
    receiver.respond = withStatus(200);
    await process.test(meant);
    await process.sendDue();
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['changes', 'changes', 'test', 'test', 'changes']);
    expect(await row(id)).toMatchObject({ failures: 0, paused_at: null, failing_since: null });
  });

  test('a receiver that is gone is removed at once, and the audit tells so', async () => {
    const { id } = await newEndpoint();
    receiver.respond = withStatus(410);
    await change();
    await process.sendDue();
    expect(await row(id)).toBeUndefined();
    const events = await database.query('select actor, operation from audit_event where object_id = $1', [id]);
    expect(events).toEqual([{ actor: 'service', operation: 'removeWebhookEndpoint' }]);
  });

  test('two processes send each notice once', async () => {
    const processes = [process, newProcess(otherDatabase)];
    const paths = Array.from({ length: 15 }, (_, index) => `/${index}`);
    for (const path of paths) {
      const { clientId: owner } = await createClient(database, { name: 'a test', scope: 'api:use' });
      await newEndpoint(owner, `http://127.0.0.1:${receiver.port}${path}`);
    }
    await change();
    await Promise.all(processes.map((each) => each.sendDue()));
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    await Promise.all(processes.map((each) => each.sendDue()));
    expect(receiver.received).toHaveLength(paths.length);
  });

  test('a process takes over from one that was killed, once the lease has ended', async () => {
    await newEndpoint();
    const arrived = Promise.withResolvers<void>();
    receiver.respond = () => arrived.resolve();
    await change();
    const killed = process.sendDue();
    await arrived.promise;
    receiver.respond = withStatus(200);
    const other = newProcess(otherDatabase);
    await other.sendDue();
    only();
    await pass();
    await other.sendDue();
    expect(receiver.received.map(({ status }) => status)).toEqual([undefined, 200]);
    const known = receiver.received[1]?.event.data.cursor ?? '';
    await receiver.stop();
    await killed;
    // What it stored late has changed nothing.
    expect(await kindsAfter(known)).toEqual([]);
    receiver = await startReceiver();
    const [left] = await database.query('select failures, leased_until from webhook_endpoint');
    expect(left).toEqual({ failures: 0, leased_until: null });
  });

  test('a service that stops leaves what is in flight to others', async () => {
    const { id } = await newEndpoint();
    const stopping = new AbortController();
    const stopped = newProcess(database, stopping.signal);
    const arrived = Promise.withResolvers<void>();
    receiver.respond = () => arrived.resolve();
    await change();
    const sending = stopped.sendDue();
    await arrived.promise;
    stopping.abort();
    await stopped.stop();
    await sending;
    expect(await row(id)).toMatchObject({ leased_until: null, failures: 0 });
    receiver.respond = withStatus(200);
    await process.sendDue();
    expect(receiver.received.at(-1)?.status).toBe(200);
  });

  test('a client hears nothing of what it may not see, and all kinds after its grants have changed', async () => {
    await setGrants({ systems: ['time'] });
    const { id } = await newEndpoint();
    const before = await row(id);
    await change();
    await process.sendDue();
    expect(receiver.received).toEqual([]);
    // Nobody looks at it again.
    expect((await row(id))?.['latest']).not.toBe(before?.['latest']);
    await setGrants({ systems: ['time', 'master'] });
    await process.sendDue();
    const notice = only();
    expect(notice.event.data.changed).toEqual(['persons', 'timeBookings', 'absences']);
    expect(await kindsAfter(notice.event.data.cursor)).toEqual([]);
    await process.sendDue();
    only();
  });

  test('a disabled client hears nothing until it is enabled', async () => {
    await newEndpoint();
    await disableClient(database, clientId);
    await change();
    await process.sendDue();
    expect(receiver.received).toEqual([]);
    await enableClient(database, clientId);
    await process.sendDue();
    only();
  });

  test('a paused endpoint gets nothing', async () => {
    const { id } = await newEndpoint();
    await pauseEndpoint(database, { endpointId: id });
    await change();
    await process.sendDue();
    expect(receiver.received).toEqual([]);
  });

  test.each([
    [
      'whose history is gone',
      `insert into change_history (kept_since, dropped_id) values (now(), (select max(id) from change_set)); update webhook_endpoint set latest = 0`,
    ],
    ['of another database', `update webhook_endpoint set digest = 'another'`],
  ])('a position %s brings all kinds', async (_, statement) => {
    await newEndpoint();
    await database.query(statement);
    await change();
    await process.sendDue();
    await database.query('delete from change_history');
    const notice = only();
    expect(notice.event.data.changed).toEqual(['persons', 'timeBookings', 'absences', 'salaries', 'decisions']);
    expect(await kindsAfter(notice.event.data.cursor)).toEqual([]);
  });

  test('the last 100 attempts are kept', async () => {
    const { id } = await newEndpoint();
    await process.test({ endpointId: id, origin: { actor: clientId, requestId: 'r-1' } });
    await database.query(
      `insert into webhook_delivery (endpoint_id, message_id, type, sent_at, attempt, duration_ms)
      select $1, 'filler', 'test', now(), 1, 1 from generate_series(1, 120)`,
      [id],
    );
    await process.test({ endpointId: id, origin: { actor: clientId, requestId: 'r-1' } });
    const kept = await deliveries(id);
    expect([kept.length, kept.at(-1)?.status]).toEqual([100, 204]);
  });

  test('a look costs one query where nothing has changed, and few where nobody sees it', async () => {
    const { clientId: owner } = await createClient(database, { name: 'a test', scope: 'api:use' });
    await database.transaction((transaction) => grantClient(transaction, owner, { systems: ['payroll'] }));
    for (let count = 0; count < 10; count++) await newEndpoint(owner);
    const query = vi.spyOn(database, 'query');
    const queries = async (): Promise<number> => {
      query.mockClear();
      await process.sendDue();
      return query.mock.calls.length;
    };
    const quiet = await queries();
    // From now on, all of them are at the same position.
    await change();
    await queries();
    await change();
    const unseen = await queries();
    query.mockRestore();
    expect(receiver.received).toEqual([]);
    expect([quiet, unseen]).toEqual([1, 4]);
  });

  test('whatever happens, the receiver knows of everything in the end', async () => {
    const step = fc.constantFrom(
      'change',
      'invisible',
      'accept',
      'reject',
      'break off',
      'die',
      'send',
      'pass',
      'grant',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        await database.query('delete from webhook_endpoint');
        receiver.received.length = 0;
        const accept = withStatus(200);
        receiver.respond = accept;
        await newEndpoint();
        const dead: Promise<void>[] = [];
        const broken: (() => void)[] = [];
        let processes = [process, newProcess(otherDatabase)];
        for (const each of steps) {
          if (each === 'change') await change();
          if (each === 'invisible')
            await database.transaction((tx) =>
              tx.query(`insert into change_set (changed_at, touched) values (now(), '{decisions another}')`),
            );
          if (each === 'accept') receiver.respond = accept;
          if (each === 'reject') receiver.respond = withStatus(503, { 'retry-after': '1' });
          if (each === 'break off') receiver.respond = (response) => void response.destroy();
          if (each === 'send') await processes[0]?.sendDue();
          if (each === 'pass') await pass();
          if (each === 'grant') {
            const systems = houseNumber++ % 2 ? (['master'] as const) : null;
            await setGrants({ systems });
          }
          if (each === 'die') {
            // It gets its response long after another process has taken over.
            const count = receiver.received.length;
            const { respond } = receiver;
            receiver.respond = (response) => void broken.push(() => void response.writeHead(200).end());
            const sending = (processes[0] as Webhooks).sendDue();
            await Promise.race([sending, vi.waitUntil(() => receiver.received.length > count, 60_000)]);
            receiver.respond = respond;
            dead.push(sending);
            processes = [processes[1] as Webhooks, newProcess()];
            await pass();
          }
        }
        receiver.respond = accept;
        await pass();
        for (const end of broken) end();
        await Promise.all(dead);
        await pass();
        await processes[0]?.sendDue();
        const accepted = receiver.received.filter(({ status }) => status === 200);
        const last = accepted.at(-1)?.event.data.cursor;
        const untold = last === undefined ? steps.filter((each) => each === 'change') : await kindsAfter(last);
        expect(untold).toEqual([]);
        await setGrants({ systems: null });
      }),
      { numRuns: repetitions(20, driver) },
    );
  });
});

test('a Retry-After is respected, up to an hour', () => {
  const attempt = { sentAt: '2026-01-02T03:04:05.000Z', durationMs: 1 };
  const delay = (failures: number, status: number, retryAfter?: string): number =>
    retryDelaySeconds(failures, { ...attempt, status, retryAfter });
  const schedule = [5, 30, 120, 600, 1800, 3600, 3600, 3600];
  for (const [failures, seconds] of schedule.entries()) {
    expect(delay(failures, 500, '9')).toBeGreaterThanOrEqual(seconds);
    expect(delay(failures, 500, '9')).toBeLessThanOrEqual(1.25 * seconds);
  }
  expect(delay(0, 429, '70')).toBe(70);
  expect(delay(0, 503, 'Fri, 02 Jan 2026 03:05:05 GMT')).toBe(60);
  expect(delay(0, 503, '999999')).toBe(3600);
  for (const odd of ['-5', 'soon', '', '0']) expect(delay(0, 503, odd)).toBeLessThan(10);
});
