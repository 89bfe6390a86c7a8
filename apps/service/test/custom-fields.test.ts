import type { CustomField } from '@hr/schemas';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyCharacter } from 'tooling-vitest/any-character';
import { drivers, emptyDatabase, repetitions } from './drivers.ts';
import { dateAllChanges } from './feed.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const PERSONS = 4;
const LONG_AGO = '2001-01-01';
const SINCE = '2002-01-01';

interface Person {
  readonly id: string;
  readonly customFields: readonly CustomField[];
}

/** A client of the API with a token of its own. */
interface Reader {
  readonly clientId: string;
  readonly authorization: string;
}

const name = fc.oneof(
  fc.constantFrom('A', 'a', 'Ä', '"', '\\', "'", '{', 'NULL', ',', ' ', '$1', '😀', '"customFields":[]'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
);
const customField = fc.record(
  {
    name,
    type: fc.constantFrom('STRING', 'DATE'),
    textValue: name,
    numberValue: fc.constantFrom(0, 0.1 + 0.2, 1e-7, -1e12),
    booleanValue: fc.boolean(),
    dateValue: fc.constant('2024-02-29'),
    selection: fc.array(name, { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);

function person(id: string, customFields?: readonly object[]): object {
  return { kind: 'person', id, customFields };
}

describe.each(drivers)('custom fields on %s', (driver) => {
  let service: TestService;
  let reader: Reader;
  let other: Reader;

  const newReader = async (): Promise<Reader> => {
    const { clientId, clientSecret } = await service.client();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await fetch(`${service.baseUrl}/api/oauth2/token`, { method: 'POST', body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return { clientId, authorization: `Bearer ${token}` };
  };
  const operate = (method: string, path: string, body?: unknown) =>
    service.send(method, `/operator/v1${path}`, { scope: 'operator', body });
  const change = (verb: 'allow' | 'deny', names: readonly string[], { clientId } = reader) =>
    operate('POST', `/clients/${clientId}/custom-fields/${verb}`, { names });
  const textOf = async ({ authorization }: Reader, query = '', at = service): Promise<string> =>
    (await fetch(`${at.baseUrl}/api/v1/persons${query}`, { headers: { authorization } })).text();
  const persons = async (asks: Reader, query = ''): Promise<Person[]> =>
    JSON.parse(await textOf(asks, query)) as Person[];

  /** Lets everything so far be of a day long ago. */
  const rest = (): Promise<void> => dateAllChanges(service.database, LONG_AGO);
  const changes = (asks: Reader): Promise<Person[]> => persons(asks, `?changedSince=${SINCE}`);

  const seen = (names: readonly string[]) => ({ status: 200, body: { clientId: reader.clientId, names } });

  beforeAll(async () => {
    service = await startService(driver);
  });
  beforeEach(async () => {
    [reader, other] = [await newReader(), await newReader()];
  });
  afterAll(() => service.stop());

  test('are those whose names the client may see, in lists, in lists of changes and after a patch', async () => {
    const anyPersons = fc.array(fc.array(customField, { maxLength: 4 }), { minLength: PERSONS, maxLength: PERSONS });
    const places = fc.array(fc.nat(), { maxLength: 3 });
    const whole = fc.tuple(anyPersons, places, fc.array(name, { maxLength: 2 }));
    await fc.assert(
      fc.asyncProperty(whole, async ([fieldsOfPersons, chosen, alsoAllowed]) => {
        const stored = fieldsOfPersons.map((customFields, index) => ({ id: `p${index}`, customFields }));
        const names = fieldsOfPersons.flat().map((field) => field.name);
        const allowed = [...chosen.flatMap((place) => names[place % names.length] ?? []), ...alsoAllowed];
        const asks = await newReader();
        await load(
          service.database,
          stored.map(({ id, customFields }) => person(id, customFields)),
        );
        if (allowed.length > 0) await change('allow', allowed, asks);

        const expected = (answer: readonly Person[]): object[] =>
          answer.map((each) => ({
            ...each,
            customFields: stored.find(({ id }) => id === each.id)?.customFields.filter((f) => allowed.includes(f.name)),
          }));
        // Of what the other client sees, it differs in nothing else.
        expect(await persons(asks)).toEqual(expected(await persons(other)));
        const since = '?changedSince=2000-01-01';
        expect(await persons(asks, since)).toEqual(expected(await persons(other, since)));
        const { authorization } = asks;
        const patched = await service.send('PATCH', '/api/v1/persons/p0', { headers: { authorization }, body: {} });
        expect(patched.body).toEqual((await persons(asks))[0]);
      }),
      { numRuns: repetitions(12, driver) * testScale },
    );
  });

  test('come exactly as they are stored, in the order of the feed', async () => {
    const texts = [
      '{"name":"B \\"b\\\\","numberValue":0.30000000000000004}',
      '{"name":"A","type":"STRING","textValue":"a\\n,]}ü😀","booleanValue":false,"selection":[]}',
      '{"name":"B \\"b\\\\","numberValue":1e-7}',
    ];
    await load(service.database, [JSON.parse(`{"kind":"person","id":"p0","customFields":[${texts.join()}]}`)]);
    await change('allow', ['A', 'B "b\\']);
    expect(await textOf(reader)).toContain(`"customFields":[${texts.join(',')}]`);
    await change('deny', ['A']);
    expect(await textOf(reader)).toContain(`"customFields":[${texts[0]},${texts[2]}]`);
  });

  test('show nowhere to a client that may not see them', async () => {
    await load(service.database, [person('p0', [{ name: 'Schatz-N', textValue: 'Schatz-V' }, { name: 'offen' }])]);
    await change('allow', ['offen']);
    const { authorization } = reader;
    const answers = [
      await textOf(reader),
      await textOf(reader, '?changedSince=2000-01-01'),
      ...(await Promise.all(
        [{}, { bankDetails: { payee: 'Zoë' } }, { customFields: [] }, { addresses: 1 }].map(async (body) => {
          const answer = await service.send('PATCH', '/api/v1/persons/p0', { headers: { authorization }, body });
          return JSON.stringify(answer.body);
        }),
      )),
    ];
    for (const answer of answers) expect(answer).not.toContain('Schatz');
    expect(answers.filter((answer) => answer.includes('offen'))).toHaveLength(4);
    expect(service.log.join('')).not.toContain('Schatz');
  });

  test('are there for tokens in use from the moment they are allowed, and gone from the moment they are denied', async () => {
    await load(service.database, [person('p0', [{ name: 'Parkausweis' }])]);
    expect(await textOf(reader)).not.toContain('Parkausweis');
    await change('allow', ['Parkausweis']);
    expect(await textOf(reader)).toContain('Parkausweis');
    await change('deny', ['Parkausweis']);
    expect(await textOf(reader)).not.toContain('Parkausweis');
  });

  test('are a change of the person where they change, and only there', async () => {
    const fields = [{ name: 'A', textValue: '1' }, { name: 'B' }];
    await change('allow', ['A', 'B']);
    await load(service.database, [person('p0', fields), person('p1', fields)]);
    await rest();
    await load(service.database, [person('p0', fields), person('p1', fields)]);
    expect(await changes(reader)).toEqual([]);

    await load(service.database, [person('p0', fields.toReversed())]);
    expect(await changes(reader)).toMatchObject([{ id: 'p0', customFields: fields.toReversed() }]);
    // Another client does not learn that something changed that it does not see.
    expect(await changes(other)).toEqual([]);
    await change('allow', ['A'], other);
    await rest();
    await load(service.database, [
      person('p0', [
        { name: 'B', textValue: 'new' },
        { name: 'A', textValue: '1' },
      ]),
    ]);
    expect([await changes(reader), await changes(other)]).toMatchObject([[{ id: 'p0' }], []]);
    await load(service.database, [person('p0', [{ name: 'A', textValue: 'new' }])]);
    expect(await changes(other)).toMatchObject([{ id: 'p0', customFields: [{ name: 'A', textValue: 'new' }] }]);

    await rest();
    await load(service.database, [person('p1')]);
    expect(await changes(reader)).toMatchObject([{ id: 'p1', customFields: [] }]);
    await rest();
    await load(service.database, [{ kind: 'keyNumber', personId: 'p0', keyNumber: '7' }]);
    expect(await changes(reader)).toEqual([{ id: 'p0', keyNumber: '7' }]);
  });

  test('that are allowed newly show in the whole list, and in the changes of everybody since then', async () => {
    await load(service.database, [person('p0', [{ name: 'A' }])]);
    await rest();
    expect(await changes(reader)).toEqual([]);
    await change('allow', ['A']);
    const shown = { id: 'p0', customFields: [{ name: 'A' }] };
    expect((await persons(reader))[0]).toMatchObject(shown);
    expect((await changes(reader))[0]).toMatchObject(shown);
    await rest();
    expect(await changes(reader)).toEqual([]);
  });

  describe('an operator', () => {
    test('allows and denies, again and again, and reads what holds', async () => {
      const path = `/clients/${reader.clientId}/custom-fields`;
      expect(await operate('GET', path)).toMatchObject(seen([]));
      expect(await change('allow', ['b', 'a', 'b'])).toMatchObject(seen(['a', 'b']));
      expect(await change('allow', ['Ä', 'a'])).toMatchObject(seen(['a', 'b', 'Ä']));
      expect(await change('deny', ['b', 'never'])).toMatchObject(seen(['a', 'Ä']));
      expect(await operate('GET', path)).toMatchObject(seen(['a', 'Ä']));
      await change('allow', ['x'], other);
      const { body } = await operate('GET', '/custom-fields');
      const clients = body as { clientId: string }[];
      expect(clients.map(({ clientId }) => clientId)).toEqual(clients.map(({ clientId }) => clientId).toSorted());
      expect(clients).toContainEqual({ clientId: reader.clientId, names: ['a', 'Ä'] });
      expect(clients).toContainEqual({ clientId: other.clientId, names: ['x'] });
      await change('deny', ['a', 'Ä']);
      expect(JSON.stringify((await operate('GET', '/custom-fields')).body)).not.toContain(reader.clientId);

      const events = await service.database.query(
        `select operation, elements from audit_event where object_id = $1 and access = 'change' order by id`,
        [reader.clientId],
      );
      expect(events).toEqual([
        { operation: 'operatorAllowCustomFields', elements: 2 },
        { operation: 'operatorAllowCustomFields', elements: 1 },
        { operation: 'operatorDenyCustomFields', elements: 1 },
        { operation: 'operatorDenyCustomFields', elements: 2 },
      ]);
    });

    test.each([
      ['GET', '/clients/nobody/custom-fields', undefined, 404],
      ['POST', '/clients/nobody/custom-fields/allow', { names: ['a'] }, 404],
      ['POST', '/clients/nobody/custom-fields/deny', { names: ['a'] }, 404],
      ['POST', '/clients/nobody/custom-fields/allow', { names: [] }, 400],
      ['POST', '/clients/nobody/custom-fields/allow', { names: [''] }, 400],
      ['POST', '/clients/nobody/custom-fields/allow', { names: 'a' }, 400],
      ['POST', '/clients/nobody/custom-fields/allow', { name: 'a' }, 400],
      ['POST', '/clients/nobody/custom-fields/allow', { names: ['x'.repeat(256)] }, 400],
      ['POST', '/clients/nobody/custom-fields', { names: ['a'] }, 405],
    ])('who asks %s %s with %j is answered %i', async (method, path, body, status) => {
      expect((await operate(method, path, body)).status).toBe(status);
    });

    test('cannot let operators see any, for they read no persons', async () => {
      const { clientId } = await service.client('operator');
      expect(await operate('POST', `/clients/${clientId}/custom-fields/allow`, { names: ['a'] })).toMatchObject({
        status: 409,
        body: { type: 'urn:hr-cloud:problem:conflict', detail: expect.stringContaining('api:use') as string },
      });
    });

    test('is needed: a client of the API is not let in', async () => {
      const { authorization, clientId } = reader;
      for (const [method, path] of [
        ['GET', '/operator/v1/custom-fields'],
        ['POST', `/operator/v1/clients/${clientId}/custom-fields/allow`],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- two requests
        expect((await service.send(method, path, { headers: { authorization } })).status).toBe(403);
      }
    });
  });

  test.runIf(driver === 'postgres')('are allowed in every process on the database within a moment', async () => {
    const shared = await emptyDatabase(driver);
    const [one, another] = await Promise.all([
      startService(driver, { HR_DATABASE: shared.url }),
      startService(driver, { HR_DATABASE: shared.url }),
    ]);
    await load(one.database, [person('p0', [{ name: 'A' }])]);
    const authorization = `Bearer ${await one.token()}`;
    const text = () => textOf({ clientId: '', authorization }, '', another);
    expect(await text()).toContain('"customFields":[]');
    const [client] = await one.database.query<{ id: string }>(
      `select client_id as id from api_client where scope = 'api:use'`,
    );
    await one.send('POST', `/operator/v1/clients/${client?.id}/custom-fields/allow`, {
      scope: 'operator',
      body: { names: ['A'] },
    });
    await expect.poll(text).toContain('"customFields":[{"name":"A"}]');
    await Promise.all([one.stop(), another.stop()]);
    await shared.remove();
  });
});
