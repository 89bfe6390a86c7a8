import { describe, expect, test } from 'vitest';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import type { Scope } from '../src/http/grant.ts';
import { auditedAs, auditEvents, type ListedEvent } from './audited.ts';
import { run, runJson } from './command-line.ts';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { newToken } from './oauth-form.ts';
import { contractRecords, sharedService, type Answer } from './service.ts';

const kim = 'https://login.test#kim%40hr';
const acting = { actingPerson: kim, purpose: 'screen person' };
const headers = { 'hr-acting-person': kim, 'hr-purpose': 'screen person' };
const events = '/operator/v1/audit-events';

interface ListedClient {
  readonly clientId: string;
  readonly actsForPeople?: true;
}

const requestIdOf = (answer: Answer): string => answer.headers.get('x-request-id') ?? '';
const read = (facts: object = {}) => ({ id: uuidV7(), ...acting, elements: 3, ...facts });

function expectRefusal(answer: Answer): void {
  expect(expectProblem(answer, 'forbidden', {}).detail).toContain('--acts-for-people yes');
}

describe.each(anyDriver)('a client that acts for people on %s', (driver) => {
  const service = sharedService(driver, {}, contractRecords());

  const operate = (path: string, body?: object): Promise<Answer> =>
    service.send(body ? 'POST' : 'GET', `/operator/v1${path}`, { scope: 'operator', body });

  /** Makes a client and gives its requests, by default one that may act for people. */
  async function newClient(scope: Scope = 'api:use', actsForPeople = true) {
    const client = (await operate('/clients', { name: 'x', scope, actsForPeople })).body as {
      clientId: string;
      clientSecret: string;
      scope: Scope;
    };
    const authorization = `Bearer ${await newToken(service, client)}`;
    return {
      clientId: client.clientId,
      send: (method: string, path: string, body?: unknown, sent: object = headers): Promise<Answer> =>
        service.send(method, path, { headers: { authorization, ...sent }, ...(body !== undefined && { body }) }),
    };
  }

  test.each<[scope: Scope, method: string, path: string, body: unknown, status: number, access: string]>([
    ['api:use', 'GET', '/api/v1/persons', undefined, 200, 'read'],
    ['api:use', 'PATCH', '/api/v1/persons/p-1', { addresses: [{ city: 'Bonn' }] }, 200, 'change'],
    ['api:use', 'POST', '/api/v1/webhook-endpoints', { url: 'https://localhost/' }, 200, 'change'],
    ['api:use', 'GET', '/operator/v1/clients', undefined, 403, 'refused'],
    ['operator', 'GET', '/operator/v1/persons/p-1/export', undefined, 200, 'read'],
    ['operator:read', 'GET', events, undefined, 200, 'read'],
  ])('with %s names the person in the event of %s %s', async (scope, method, path, body, status, access) => {
    const client = await newClient(scope);
    const answer = await client.send(method, path, body);
    expect(answer.status).toBe(status);
    expect(await auditedAs(service, requestIdOf(answer))).toMatchObject({ actor: client.clientId, access, ...acting });
  });

  test('names the person in the events of an import', async () => {
    const client = await newClient('operator:feed');
    const feed = '{"kind":"person","id":"imported"}';
    const sent = { ...headers, 'content-type': 'application/x-ndjson' };
    expect(await client.send('POST', '/operator/v1/feed', feed, sent)).toMatchObject({ status: 200 });
    expect(await auditEvents(service, { personId: 'imported' })).toMatchObject([acting]);
  });

  test('has an event for refusals of each person', async () => {
    const { clientId, send } = await newClient();
    const people = ['kim', 'kim', 'sam'];
    await Promise.all(people.map((who) => send('GET', events, undefined, { 'hr-acting-person': who })));
    await expect
      .poll(async () => {
        const refused = await auditEvents(service, { actor: clientId, access: 'refused' });
        const counts = Object.groupBy(refused, ({ actingPerson = '' }) => actingPerson);
        return Object.entries(counts).map(([who, some = []]) => [
          who,
          some.reduce((sum, one) => sum + one.elements, 0),
        ]);
      })
      .toEqual(
        expect.arrayContaining([
          ['kim', 2],
          ['sam', 1],
        ]),
      );
  });

  test('finds what a person did, also in the activity of clients', async () => {
    const { clientId, send } = await newClient();
    const answer = await send('GET', '/api/v1/persons', undefined, { 'hr-acting-person': 'local#finds' });
    const event = await auditedAs(service, requestIdOf(answer));
    expect(await auditEvents(service, { actingPerson: 'local#finds' })).toEqual([event]);
    const args = ['audit', 'list', '--acting-person', 'local#finds'];
    expect(await runJson(args, { HR_DATABASE: service.databaseUrl })).toEqual([event]);
    expect((await run(args, { HR_DATABASE: service.databaseUrl })).stdout).toMatch(/ACTING PERSON[^]+local#finds/);
    const { body } = await operate('/clients/activity?last=1');
    expect(body).toContainEqual({ clientId, events: [event] });
  });

  test.each<[headers: object, detail: RegExp]>([
    [{ 'hr-acting-person': '' }, /^\/HR-Acting-Person must be a string that matches/],
    [{ 'hr-acting-person': 'two words' }, /^\/HR-Acting-Person must be/],
    [{ 'hr-acting-person': 'x'.repeat(401) }, /^\/HR-Acting-Person must be/],
    [{ 'hr-purpose': 'a, b' }, /^\/HR-Purpose must be a string that matches/],
    [{ 'hr-purpose': 'x'.repeat(101) }, /^\/HR-Purpose must be/],
  ])('cannot send %j', async (sent, detail) => {
    const { send } = await newClient();
    const answer = await send('GET', '/api/v1/persons', undefined, sent);
    expect(expectProblem(answer, 'invalid-request', { path: '/api/v1/persons' }).detail).toMatch(detail);
  });

  test('is one only as long as an operator allows it', async () => {
    const { clientId, send } = await newClient('api:use', false);
    const reads = (sent?: object): Promise<Answer> => send('GET', '/api/v1/persons', undefined, sent);
    const listed = async (): Promise<ListedClient | undefined> =>
      ((await operate('/clients')).body as ListedClient[]).find((one) => one.clientId === clientId);
    expect((await reads({})).status).toBe(200);
    expect(await listed()).not.toHaveProperty('actsForPeople');
    for (const sent of [headers, { 'hr-acting-person': kim }, { 'hr-purpose': 'x' }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expectRefusal(await reads(sent));
    }
    await operate(`/clients/${clientId}/grants`, { actsForPeople: true });
    expect(await listed()).toMatchObject({ actsForPeople: true });
    expect((await reads(headers)).status).toBe(200);
    await operate(`/clients/${clientId}/grants`, { systems: ['master'] });
    expect(await listed()).toMatchObject({ actsForPeople: true, systems: ['master'] });
    await operate(`/clients/${clientId}/grants`, { actsForPeople: false });
    expectRefusal(await reads(headers));
    let refused: ListedEvent[] = [];
    await expect
      .poll(async () => (refused = await auditEvents(service, { actor: clientId, access: 'refused' })))
      .not.toEqual([]);
    for (const event of refused) expect(event).not.toHaveProperty('actingPerson');
  });

  test('is made and granted on the command line', async () => {
    const env = { HR_DATABASE: service.databaseUrl };
    const create = ['clients', 'create', '--name', 'x', '--scope', 'operator:read', '--acts-for-people'];
    const { clientId } = await runJson<ListedClient>(create, env);
    const grant = (value: string) => run(['clients', 'grant', clientId, '--acts-for-people', value], env);
    expect((await run(['clients', 'list'], env)).stdout).toMatch(
      new RegExp(`^${clientId} +operator:read +acts for people `, 'm'),
    );
    expect((await grant('no')).stdout).toBe(`Grants of client ${clientId}: -. Its tokens follow within a second.\n`);
    expect((await grant('yes')).stdout).toMatch(/: acts for people\. /);
    expect(await grant('maybe')).toMatchObject({ code: 2, stderr: expect.stringMatching('choices are yes, no') });
  });

  describe('and tells of reads from its copy', () => {
    test('stores each once, for the export of the person', async () => {
      const { clientId, send } = await newClient('operator:audit');
      const sent = [read({ personId: 'p-1' }), read({ payrollContractId: 'c-1' }), read(), read({ personId: 'p-2' })];
      const first = await send('POST', events, { events: sent.slice(0, 3) }, {});
      expect(first).toMatchObject({ status: 200, body: { events: 3 } });
      // Of the same ids, the first events stay.
      const again = sent.map((one) => ({ ...one, purpose: 'another' }));
      expect(await send('POST', events, { events: again }, {})).toMatchObject({ status: 200, body: { events: 4 } });
      const stored = await auditEvents(service, { operation: 'readCopy', actor: clientId });
      const expected = { access: 'read', elements: 3, requestId: requestIdOf(first), ...acting };
      expect(stored).toMatchObject([
        { ...expected, id: sent[0]?.id, personId: 'p-1' },
        { ...expected, id: sent[1]?.id, personId: 'p-1', payrollContractId: 'c-1' },
        { ...expected, id: sent[2]?.id },
        { id: sent[3]?.id, personId: 'p-2', purpose: 'another' },
      ]);
      const { auditEvents: exported } = (await operate('/persons/p-1/export')).body as { auditEvents: object[] };
      for (const event of stored.slice(0, 3)) expect(exported).toContainEqual(event);
      expect(exported).not.toContainEqual(stored[3]);
      const changes = await auditEvents(service, { operation: 'operatorRecordReads', actor: clientId });
      // It says nothing that these events do not say.
      expect(changes).toEqual([]);
    });

    test('skips an id that an event of another has, and says nothing of it', async () => {
      const [other, own] = [await newClient('operator:audit'), await newClient('operator:audit')];
      const event = read({ personId: 'p-1' });
      await other.send('POST', events, { events: [event] }, {});
      const answer = await own.send('POST', events, { events: [{ ...event, personId: 'p-9' }] }, {});
      expect(answer).toMatchObject({ status: 200, body: { events: 1 } });
      expect(await auditEvents(service, { personId: 'p-9' })).toEqual([]);
    });

    const minute = 60_000;
    const day = 1440 * minute;
    test.each<[facts: object, detail: RegExp]>([
      [{ id: uuidV7(Date.now() + 6 * minute) }, /^\/events\/0\/id must have a moment at most 5 minutes in the future/],
      [{ id: '9b2d7f6e-1c1a-4e0e-8d5c-0d6a1c0c7b1a' }, /^\/events\/0\/id must be a string that matches/],
      [{ actingPerson: undefined }, /^\/events\/0\/actingPerson is required/],
      [{ purpose: '' }, /^\/events\/0\/purpose must be/],
      [{ elements: 0 }, /^\/events\/0\/elements must be/],
    ])('but not %j', async (facts, detail) => {
      const { send } = await newClient('operator:audit');
      const body = { events: [read(facts)] };
      const answer = await send('POST', events, JSON.parse(JSON.stringify(body)), {});
      expect(expectProblem(answer, 'invalid-request', { body }).detail).toMatch(detail);
    });

    test.each([4 * minute, -3650 * day])('of a moment %i ms from now', async (distance) => {
      const { send } = await newClient('operator:audit');
      const event = read({ id: uuidV7(Date.now() + distance) });
      expect((await send('POST', events, { events: [event] }, {})).status).toBe(200);
    });

    test('up to 1000 at once', async () => {
      const { clientId, send } = await newClient('operator:audit');
      const many = Array.from({ length: 1001 }, () => read());
      expect((await send('POST', events, { events: many }, {})).status).toBe(400);
      expect((await send('POST', events, { events: many.slice(1) }, {})).status).toBe(200);
      expect(await auditEvents(service, { operation: 'readCopy', actor: clientId })).toHaveLength(1000);
    });

    test('only if it may act for people', async () => {
      const { send } = await newClient('operator:audit', false);
      const answer = await send('POST', events, { events: [read()] }, {});
      expectRefusal(answer);
    });
  });
});
