import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeEach, describe, expect, test } from 'vitest';
import { anyCharacter } from 'tooling-vitest/any-character';
import { drivers, repetitions } from './drivers.ts';
import { dateAllChanges } from './feed.ts';
import { newReader, type Reader } from './reader.ts';
import { load, sharedService } from './service.ts';

const LONG_AGO = '2001-01-01';
const SINCE = '2002-01-01';

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

function person(id: string, customFields: readonly object[]): object {
  return { kind: 'person', id, customFields };
}

// Which changes of them a client is told of is in visible-person.test.ts and changes-law.test.ts.
describe.each(drivers)('custom fields on %s', (driver) => {
  const service = sharedService(driver);
  let reader: Reader;

  const operate = (method: string, path: string, body?: unknown) =>
    service.send(method, `/operator/v1${path}`, { scope: 'operator', body });
  const change = (verb: 'allow' | 'deny', names: readonly string[], { clientId } = reader) =>
    operate('POST', `/clients/${clientId}/custom-fields/${verb}`, { names });
  /** The custom fields that the first person shows. */
  const shown = async (): Promise<unknown> => (await reader.persons())[0]?.['customFields'];
  /** Dates everything so far to a day long ago. */
  const rest = (): Promise<void> => dateAllChanges(service.database, LONG_AGO);

  beforeEach(async () => {
    reader = await newReader(service);
  });

  test('are those whose names the client may see, as they are stored, in the order of the feed', async () => {
    const fieldsAndNames = fc.tuple(
      fc.array(customField, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      name,
    );
    await fc.assert(
      fc.asyncProperty(fieldsAndNames, async ([fields, places, unused]) => {
        const allowed = [unused, ...places.flatMap((place) => fields[place % fields.length]?.name ?? [])];
        reader = await newReader(service, {}, allowed);
        await load(service.database, [person('p0', fields)]);
        const visible = fields.filter((field) => allowed.includes(field.name));
        expect(JSON.stringify(await shown())).toBe(JSON.stringify(visible));
      }),
      { numRuns: repetitions(30, driver) * testScale },
    );
  });

  test('show nowhere to a client that may not see them', async () => {
    await load(service.database, [person('p0', [{ name: 'Schatz-N', textValue: 'Schatz-V' }, { name: 'offen' }])]);
    await change('allow', ['offen']);
    const patches = [{}, { bankDetails: { payee: 'Zoë' } }, { customFields: [] }, { addresses: 1 }];
    const answers = [
      await reader.persons(),
      await reader.persons('2000-01-01'),
      ...(await Promise.all(patches.map(async (body) => (await reader.send('persons/p0', 'PATCH', body)).body))),
    ].map((answer) => JSON.stringify(answer));
    for (const answer of answers) expect(answer).not.toContain('Schatz');
    expect(answers.filter((answer) => answer.includes('offen'))).toHaveLength(4);
    expect(service.log.join('')).not.toContain('Schatz');
  });

  test('that change places are a change for who sees them, and for nobody else', async () => {
    const fields = [{ name: 'A', textValue: '1' }, { name: 'B' }];
    const seesBoth = await newReader(service, {}, ['A', 'B']);
    const seesOne = await newReader(service, {}, ['A']);
    await load(service.database, [person('p0', fields)]);
    await rest();
    await load(service.database, [person('p0', fields.toReversed())]);
    expect(await seesBoth.persons(SINCE)).toMatchObject([{ id: 'p0', customFields: fields.toReversed() }]);
    expect([await seesOne.persons(SINCE), await reader.persons(SINCE)]).toEqual([[], []]);
  });

  test('are shown to tokens in use from the moment they are allowed, also in changes, until they are denied', async () => {
    await load(service.database, [person('p0', [{ name: 'A' }, { name: 'B' }])]);
    await rest();
    expect([await shown(), await reader.persons(SINCE)]).toEqual([[], []]);
    await change('allow', ['A', 'B']);
    expect(await shown()).toEqual([{ name: 'A' }, { name: 'B' }]);
    expect(await reader.persons(SINCE)).toMatchObject([{ id: 'p0', customFields: [{ name: 'A' }, { name: 'B' }] }]);
    await rest();
    expect(await reader.persons(SINCE)).toEqual([]);
    await change('deny', ['A']);
    expect(await shown()).toEqual([{ name: 'B' }]);
  });

  test('are allowed and denied by an operator, again and again, who reads what holds', async () => {
    const { clientId } = reader;
    const other = await newReader(service, {}, ['x']);
    const path = `/clients/${clientId}/custom-fields`;
    const seen = (...names: string[]) => ({ status: 200, body: { clientId, names } });
    expect(await operate('GET', path)).toMatchObject(seen());
    expect(await change('allow', ['b', 'a', 'b'])).toMatchObject(seen('a', 'b'));
    expect(await change('allow', ['Ä', 'a'])).toMatchObject(seen('a', 'b', 'Ä'));
    expect(await change('deny', ['b', 'never'])).toMatchObject(seen('a', 'Ä'));
    expect(await operate('GET', path)).toMatchObject(seen('a', 'Ä'));
    const clients = (await operate('GET', '/custom-fields')).body as { clientId: string }[];
    expect(clients).toEqual(clients.toSorted((one, another) => (one.clientId < another.clientId ? -1 : 1)));
    expect(clients).toContainEqual({ clientId, names: ['a', 'Ä'] });
    expect(clients).toContainEqual({ clientId: other.clientId, names: ['x'] });
    await change('deny', ['a', 'Ä']);
    expect(JSON.stringify((await operate('GET', '/custom-fields')).body)).not.toContain(clientId);

    const events = await service.database.query<{ operation: string; elements: number }>(
      `select operation, elements from audit_event where object_id = $1 and access = 'change' order by id`,
      [clientId],
    );
    expect(events.slice(-4).map(({ operation, elements }) => [operation, elements])).toEqual([
      ['operatorAllowCustomFields', 2],
      ['operatorAllowCustomFields', 1],
      ['operatorDenyCustomFields', 1],
      ['operatorDenyCustomFields', 2],
    ]);
  });

  test.each([[[]], [['']], ['a'], [['x'.repeat(256)]]])('have names, and not %j', async (names) => {
    expect((await operate('POST', `/clients/${reader.clientId}/custom-fields/allow`, { names })).status).toBe(400);
  });

  test('cannot be allowed to operators, for they read no persons', async () => {
    const { clientId } = await service.client('operator');
    const { status, body } = await change('allow', ['a'], { ...reader, clientId });
    const detail = expect.stringContaining('api:use') as string;
    expect([status, body]).toMatchObject([409, { type: 'urn:hr-cloud:problem:conflict', detail }]);
  });
});
