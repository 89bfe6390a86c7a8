import { fieldsOf, ownerOf, systems } from '@hr/schemas/rules';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import type { Grants } from '@hr/schemas/provider';
import { drivers, repetitions } from './drivers.ts';
import { dateAllChanges } from './feed.ts';
import { newReader, type Person, type Reader } from './reader.ts';
import { load, sharedService } from './service.ts';

const LONG_AGO = '2001-01-01';
const SINCE = '2002-01-01';

const systemSets = [
  null,
  ['master'],
  ['payroll'],
  ['time'],
  ['master', 'payroll'],
  ['master', 'time'],
  ['payroll', 'time'],
  ['master', 'payroll', 'time'],
] as const;
const fieldSets = [
  null,
  ['id'],
  ['id', 'firstName', 'lastName', 'bankDetails'],
  ['bankDetails', 'employments', 'keyNumber'],
  ['address', 'payrollContractIds', 'employments'],
  ['customFields', 'keyNumber'],
] as const;
/** Names that need escapes, or look like JSON. */
const customFieldNames = ['A', '"\\{', '",😀":[]'];
const customFieldSets = [[], customFieldNames.slice(0, 1), customFieldNames.slice(0, 2)];

/** Whether the grants contradict each other: a field's system is not granted. */
function contradicts({ systems: granted, fields }: Grants): boolean {
  return (fields ?? []).some((field) => field !== 'id' && granted?.includes(ownerOf(field)) === false);
}

function sees({ grants }: Reader, field: string): boolean {
  if (field === 'id') return true;
  return grants.systems?.includes(ownerOf(field)) !== false && grants.fields?.includes(field as 'id') !== false;
}

/** What a client sees of a person whom another client sees completely. */
function projection(reader: Reader, person: Person): Person {
  const customFields = person['customFields'] as { readonly name: string }[];
  const visible = { ...person, customFields: customFields.filter(({ name }) => reader.customFields.includes(name)) };
  return Object.fromEntries(Object.entries(visible).filter(([field]) => sees(reader, field))) as Person;
}

/** The changes that a client sees between two complete lists. */
function changesOf(reader: Reader, before: readonly Person[], after: readonly Person[]): Person[] {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))].toSorted();
  return ids.flatMap((id) => {
    const [old, now] = [before, after].map((list) => list.find((person) => person.id === id));
    const [was, is] = [old && projection(reader, old), now && projection(reader, now)];
    const changed = systems.filter((system) => {
      const visible = fieldsOf(system).filter((field) => sees(reader, field));
      if (!was || !is || visible.some((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))) return true;
      // A mapping changes payroll, too, also where it has no payroll record: for clients that see mappings.
      const isWhole = visible.length === fieldsOf(system).length;
      const [mapped, mapsNow] = [was, is].map((each) => JSON.stringify(each['payrollContractIds']));
      return system === 'payroll' && isWhole && mapped !== mapsNow;
    });
    if (changed.length === 0 && was && is) return [];
    const fields = changed.flatMap(fieldsOf).filter((field) => sees(reader, field));
    const values = fields.map((field) => [field, is?.[field] ?? null]);
    return [{ id, ...Object.fromEntries(values), ...(!now && { deleted: true }) }];
  });
}

const personIds = ['p0', 'p1'];
const personId = fc.constantFrom(...personIds);
const customField = fc.record({ name: fc.constantFrom(...customFieldNames), textValue: fc.constantFrom('1', '2') });
/** In the order of their names: clients that see two of them learn when any change places. */
const customFields = fc
  .array(customField, { maxLength: 4 })
  .map((fields) => fields.toSorted((one, other) => one.name.localeCompare(other.name)));
const contractId = fc.constantFrom('c0', 'c1');
/** Few values, so that some records change nothing. */
const feedRecord = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        kind: fc.constant('person'),
        id: personId,
        firstName: fc.constantFrom('Ada', 'Zoë \\"'),
        lastName: fc.constantFrom('One', ',"iban":null'),
        jobTitle: fc.constantFrom('a', 'b'),
        address: fc.record({ city: fc.constantFrom('Ulm', 'Köln 😀\t') }),
        customFields,
      },
      { requiredKeys: ['kind', 'id'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person'), id: personId, customFields }) },
  fc.record({
    kind: fc.constant('bankDetails'),
    personId,
    iban: fc.constantFrom('DE02120300000000202051', 'DE02500105170137075030'),
  }),
  fc.record({ kind: fc.constant('keyNumber'), personId, keyNumber: fc.constantFrom('1', '2') }),
  fc.record({ kind: fc.constant('mapping'), payrollContractId: contractId, personId }),
  fc.record({ kind: fc.constant('employment'), payrollContractId: contractId, fullTime: fc.boolean() }),
  fc.record({ kind: fc.constant('deletePerson'), id: personId }),
  fc.record({ kind: fc.constantFrom('deleteBankDetails', 'deleteKeyNumber'), personId }),
  fc.record({ kind: fc.constantFrom('deleteMapping', 'deleteEmployment'), payrollContractId: contractId }),
);

/** One record of a key: a mapping that comes and goes in one feed is told as a change. */
const feedRecords = fc.uniqueArray(feedRecord, {
  maxLength: 5,
  selector: ({ kind, ...record }) => [kind.replace('delete', '').toLowerCase(), Object.values(record)[0]].join(' '),
});

describe.each(drivers)('the fields that a client sees on %s', (driver) => {
  const service = sharedService(driver);

  test('are the granted part of all fields, in lists, in lists of changes and after a patch', async () => {
    const everything = await newReader(service, {}, customFieldNames);
    const sets = systemSets.flatMap((granted) => fieldSets.map((fields) => ({ systems: granted, fields })));
    const readers: Reader[] = [];
    for (const grants of sets) {
      if (contradicts(grants)) continue;
      const names = customFieldSets[readers.length % customFieldSets.length];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      readers.push(await newReader(service, grants, names));
    }
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(feedRecords, personId, async (records, patched) => {
        await dateAllChanges(service.database, LONG_AGO);
        const before = await everything.persons();
        await load(service.database, records);
        const after = await everything.persons();
        // Some of them at a time: a request takes longer than what it shows.
        const some = readers.filter((_, index) => index % 4 === runs % 4);
        runs++;
        for (const reader of some) {
          // oxlint-disable no-await-in-loop -- one after the other
          expect([reader.grants, await reader.persons()]).toEqual([
            reader.grants,
            after.map((person) => projection(reader, person)),
          ]);
          expect([reader.grants, await reader.persons(SINCE)]).toEqual([
            reader.grants,
            changesOf(reader, before, after),
          ]);
        }
        const [reader] = some as [Reader];
        const answer = await reader.send(`persons/${patched}`, 'PATCH', {});
        // oxlint-enable no-await-in-loop
        const person = after.find(({ id }) => id === patched);
        expect([answer.status, person && answer.body]).toEqual(
          person ? [200, projection(reader, person)] : [404, undefined],
        );
      }),
      { numRuns: repetitions(8, driver) * testScale },
    );
  });
});
