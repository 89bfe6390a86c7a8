import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drivers } from './drivers.ts';
import { feedDatabase, storePatch, type FeedDatabase } from './feed.ts';

const person = (fields: object): object => ({ kind: 'person', id: '1', lastName: 'Berg', ...fields });
const bankDetails = (payee: string): object => ({ kind: 'bankDetails', personId: '1', payee });

// The feed's record for each property that can be patched, the patch, and the record that deletes the property.
const properties = [
  {
    property: 'address',
    incoming: (street: string) => person({ address: { street } }),
    deleted: person({}),
    patch: { addresses: [{ street: 'patched' }, { street: 'another' }] },
    shown: (street: string) => ({ street }),
  },
  {
    property: 'bankDetails',
    incoming: bankDetails,
    deleted: { kind: 'deleteBankDetails', personId: '1' },
    patch: { bankDetails: { payee: 'patched' } },
    shown: (payee: string) => ({ payee }),
  },
];

/** The same in another order. */
function turned(value: object): object {
  return Object.fromEntries(Object.entries(value).toReversed());
}

describe.each(drivers)('a patch on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });
  beforeEach(async () => {
    await db.clear();
    await db.load(person({}));
  });

  describe.each(properties)('of $property', ({ property, incoming, deleted, patch, shown }) => {
    // Each step is a feed, its records after one another, or the patch.
    test.each([
      ['the same again', 'A patch A A', 'patched'],
      ['other fields', 'A patch A+keyNumber', 'patched'],
      ['not other content', 'A patch B', 'B'],
      ['other content once it is made again', 'A patch B patch B', 'patched'],
      ['not other content that comes late', 'A patch B patch B A+B', 'B'],
      ['not the first content', 'patch A', 'A'],
      ['a feed that does not bring the property any more', 'A patch deleted', 'patched'],
      ['the same content after that', 'A patch deleted patch A', 'patched'],
      ['not other content after that', 'A patch deleted patch A deleted+B', 'B'],
      ['not the person', 'A patch gone+person+A', 'A'],
    ])('survives %s: %s', async (_, steps, expected) => {
      const records: Record<string, object> = {
        A: incoming('A'),
        B: incoming('B'),
        deleted,
        keyNumber: { kind: 'keyNumber', personId: '1', keyNumber: '7' },
        gone: { kind: 'deletePerson', id: '1' },
        person: person({}),
      };
      for (const step of steps.split(' ')) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        if (step === 'patch') await storePatch(db.database, '1', patch);
        // oxlint-disable-next-line no-await-in-loop
        else await db.load(...step.split('+').map((name) => records[name] as object));
      }
      expect((await db.persons())['1']?.[property]).toEqual(shown(expected));
    });
  });

  test('of one property leaves the other to the feed', async () => {
    await db.load(person({ address: { street: 'A' } }), bankDetails('A'));
    await storePatch(db.database, '1', { addresses: [] });
    await db.load(bankDetails('B'));
    expect((await db.persons())['1']).toMatchObject({ bankDetails: { payee: 'B' } });
    expect((await db.persons())['1']).not.toHaveProperty('address');
  });

  test('shows as a change of its system when the feed overrules it', async () => {
    await db.load(person({ address: { street: 'A' } }));
    await storePatch(db.database, '1', { addresses: [] });
    await db.rest();
    await db.load(person({ address: { street: 'B' } }));
    expect(await db.changes()).toMatchObject([{ id: '1', address: { street: 'B' } }]);
    expect((await db.changes())[0]).not.toHaveProperty('bankDetails');
  });

  test('that says what the feed says, in another order, changes nobody', async () => {
    const address = { street: 'Ring', city: 'Ulm', country: 'DE' };
    const bank = { iban: 'DE02120300000000202051', payee: 'Berg' };
    await db.load(person({ address }), { kind: 'bankDetails', personId: '1', ...bank });
    await db.rest();
    await storePatch(db.database, '1', { addresses: [turned(address)], bankDetails: turned(bank) });
    expect(await db.changes()).toEqual([]);
    await storePatch(db.database, '1', {
      addresses: [turned({ ...address, city: 'Bonn' })],
      bankDetails: turned(bank),
    });
    expect(await db.changes()).toMatchObject([{ id: '1', address: { city: 'Bonn' } }]);
    expect((await db.changes())[0]).not.toHaveProperty('bankDetails');
  });

  // The embedded database does one thing at a time.
  test.runIf(driver === 'postgres')('and an import of the same person wait for each other', async () => {
    const streets = Array.from({ length: 30 }, (_, number) => String(number));
    await Promise.all([
      ...streets.map((street) => db.load(person({ address: { street } }))),
      ...streets.map((street) => storePatch(db.database, '1', { addresses: [{ street: `patched ${street}` }] })),
    ]);
    // Whichever came last, a patch that is left covers what the feed had brought before it.
    const patches = await db.database.query<{ covers: boolean }>(
      `select feed_content is not distinct from content as covers
      from person_patch left join feed_property using (person_id, property)`,
    );
    expect(patches.every(({ covers }) => covers)).toBe(true);
    expect(JSON.stringify(await db.persons()).includes('patched')).toBe(patches.length > 0);
  });
});
