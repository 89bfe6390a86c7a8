import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeAll, describe, expect, test } from 'vitest';
import { anyDriver } from './drivers.ts';
import { feedDatabase, storePatch } from './feed.ts';
import type { FeedDatabase } from './feed.ts';

const RUNS = 8 * testScale;

interface Keyed {
  /** The same for a record and for its deletion. */
  readonly key: string;
  readonly record: object;
}

// Few keys and few values, so that records meet often.
const persons = fc.constantFrom('1', '2');
const contracts = fc.constantFrom('c', 'd');
const values = fc.constantFrom('A', 'B');

/** Records and deletions of a kind, whose key is one field. */
function kind(
  name: string,
  keyField: string,
  keys: fc.Arbitrary<string>,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Keyed> {
  return fc.tuple(keys, fc.option(fc.record(fields))).map(([id, content]) => ({
    key: `${name} ${id}`,
    record: content
      ? { kind: name, [keyField]: id, ...content }
      : { kind: `delete${name.charAt(0).toUpperCase()}${name.slice(1)}`, [keyField]: id },
  }));
}

const anyRecord = fc.oneof(
  kind('person', 'id', persons, { lastName: values }),
  kind('person', 'id', persons, { address: fc.record({ street: values }) }),
  kind('mapping', 'payrollContractId', contracts, { personId: persons }),
  kind('employment', 'payrollContractId', contracts, { personGroupCode: values }),
  kind('bankDetails', 'personId', persons, { payee: values }),
  kind('keyNumber', 'personId', persons, { keyNumber: values }),
  kind('absence', 'id', values, { personId: persons, startDate: fc.constant('2026-01-01') }),
);

describe.each(anyDriver)('records on %s', (driver) => {
  let db: FeedDatabase;

  beforeAll(async () => {
    db = await feedDatabase(driver);
    return db.remove;
  });

  /** All that is stored after these feeds, loaded into what two patched persons have. */
  async function rowsAfter(feeds: readonly (readonly Keyed[])[]): Promise<unknown> {
    await db.clear();
    await db.load(
      { kind: 'person', id: '1', address: { street: 'A' } },
      { kind: 'person', id: '2', lastName: 'A' },
      { kind: 'bankDetails', personId: '2', payee: 'A' },
      { kind: 'mapping', personId: '1', payrollContractId: 'c' },
    );
    await storePatch(db.database, '1', { addresses: [{ street: 'patched' }], bankDetails: {} });
    await storePatch(db.database, '2', { addresses: [], bankDetails: { payee: 'patched' } });
    for (const feed of feeds) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await db.load(...feed.map(({ record }) => record));
    }
    return db.rows();
  }

  test('in one batch do what they do one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 12 }), async (records) => {
        expect(await rowsAfter([records])).toEqual(await rowsAfter(records.map((record) => [record])));
      }),
      { numRuns: RUNS },
    );
  });

  test('of different keys do the same in any order', async () => {
    const orders = fc
      .uniqueArray(anyRecord, { selector: ({ key }) => key, maxLength: 12 })
      .chain((records) => fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })));
    await fc.assert(
      fc.asyncProperty(orders, async ([one, other]) => {
        expect(await rowsAfter([one])).toEqual(await rowsAfter([other]));
      }),
      { numRuns: RUNS },
    );
  });
});
