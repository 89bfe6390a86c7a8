import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createHrClient, type HrClient } from '@hr/client';
import { openMirror } from '@hr/client/mirror';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Grants } from '@hr/schemas/provider';
import { pruneChanges } from '../src/database/change-history.ts';
import { copied, cursorLists, inOrder, type Elements, type Row } from './copies.ts';
import { drivers, type Driver } from './drivers.ts';
import { feedTables } from './feed.ts';
import { newReader, type Reader } from './reader.ts';
import { load, startService, type TestService } from './service.ts';

// The law: what is in a full list now and was not in it at an earlier request, or is gone from it, is in the list of changes
// since the day of that request, and in the list of changes after the cursor of that response, which has nothing else. A
// copy that is kept by changes alone equals the full list, whenever and whatever it reads.

const DAY_MS = 86_400_000;
const timeZone = 'UTC';

/** Few keys and few values, so that records meet often. */
const personIds = ['p1', 'p2', 'p3'];
const personId = fc.constantFrom(...personIds);
const payrollContractId = fc.constantFrom('c1', 'c2');
const id = fc.constantFrom('a1', 'a2');
const date = fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03');
const number = fc.integer({ min: 1, max: 3 });
const kind = (...names: string[]) => fc.constantFrom(...names);
const customFields = fc.array(
  fc.record({ name: fc.constantFrom('A', 'B'), type: fc.constant('STRING'), textValue: number.map(String) }),
  { maxLength: 2 },
);
const feedRecord = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('person'), id: personId, lastName: number.map(String), customFields }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('deletePerson'), id: personId }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('timeDay'), personId, date, targetTime: number }) },
  // With two ids, it often moves one to another person.
  { weight: 6, arbitrary: fc.record({ kind: kind('absence'), id, personId, startDate: date, amount: number }) },
  fc.record({ kind: kind('deleteTimeDay'), personId, date }),
  fc.record({ kind: kind('deleteAbsence'), id }),
  fc.record({ kind: kind('mapping'), personId, payrollContractId }),
  fc.record({ kind: kind('employment'), payrollContractId, fullTime: fc.boolean() }),
  fc.record({ kind: kind('keyNumber'), personId, keyNumber: number.map(String) }),
  fc.record({ kind: kind('deleteMapping', 'deleteEmployment'), payrollContractId }),
);
const grants = fc.constantFrom<Grants>(
  { systems: null, fields: null },
  { systems: ['master'], fields: null },
  { systems: ['master', 'time'], fields: null },
  { systems: null, fields: ['id', 'lastName', 'bankDetails', 'keyNumber'] },
  { systems: null, fields: ['customFields', 'employments'] },
);

/** A client, and copies of what it reads that are kept by changes. */
interface Copy {
  readonly reader: Reader;
  /** The elements of each list by their ids, and when the list was read last, in days that have passed since. */
  readonly lists: Map<string, { elements: Elements; readAt: number; daysSince: number; cursor?: string }>;
}

/** Absences are a list for each person, too. */
const lists = [...cursorLists, ...personIds.map((owner) => `persons/${owner}/absences`)];

/** Reads what changed after the last cursor, or everything at first, and compares the copy with the full list. */
async function followAndCompare({ reader, lists: known }: Copy, list: string): Promise<void> {
  const name = `${list} by cursor`;
  const { cursor, elements: before } = known.get(name) ?? {};
  let answer = await reader.send(cursor === undefined ? list : `${list}?after=${cursor}`);
  if (answer.status === 403) return;
  const isWhole = cursor === undefined || answer.status === 410;
  if (answer.status === 410) {
    expect(answer.body).toMatchObject({ reason: expect.stringMatching(/^(?:history|grants)$/) });
    answer = await reader.send(list);
  }
  const elements = copied(list, answer.body as Row[], new Map(isWhole ? [] : before));
  const expected = copied(list, (await reader.send(list)).body as Row[]);
  expect([list, cursor, reader.grants, inOrder(elements)]).toEqual([list, cursor, reader.grants, inOrder(expected)]);
  const next = String(answer.headers.get('hr-cursor'));
  expect((await reader.send(`${list}?after=${next}`)).body).toEqual([]);
  known.set(name, { elements: expected, readAt: 0, daysSince: 0, cursor: next });
}

/** Reads what changed, or everything at first, and compares the copy with the full list. */
async function readAndCompare({ reader, lists: known }: Copy, list: string): Promise<void> {
  const before = known.get(list);
  const day = before && new Date(before.readAt - before.daysSince * DAY_MS).toISOString().slice(0, 10);
  const readAt = Date.now();
  const { status, body } = await reader.send(day === undefined ? list : `${list}?changedSince=${day}`);
  // Not granted now: nothing is read, and the copy waits.
  if (status === 403) return;
  const full = await reader.send(list);
  const expected = full.status === 404 ? new Map<string, object>() : copied(list, full.body as Row[]);
  // Changes are no longer kept since then, which says: read everything.
  if (status === 410) expect(before?.daysSince).toBeGreaterThan(0);
  const elements =
    status === 410
      ? expected
      : copied(list, status === 404 ? [] : (body as Row[]), new Map(status === 404 && !before ? [] : before?.elements));
  expect([list, day, reader.grants, inOrder(elements)]).toEqual([list, day, reader.grants, inOrder(expected)]);
  known.set(list, { elements: new Map(expected), readAt, daysSince: 0 });
}

async function readAllAndCompare(copy: Copy): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one list after the other
  for (const list of lists) await readAndCompare(copy, list);
  // oxlint-disable-next-line no-await-in-loop -- one list after the other
  for (const list of cursorLists) await followAndCompare(copy, list);
}

interface Run {
  readonly service: TestService;
  readonly copies: readonly Copy[];
  /** Lets so many days pass. */
  readonly passDays: (days: number) => Promise<void>;
}
type Change = (run: Run) => Promise<unknown>;

const operate = ({ service }: Run, path: string, body: object = {}) =>
  service.send('POST', `/operator/v1/${path}`, { scope: 'operator', body });
const copyIndex = fc.nat(3);

function operateOn(path: string, body: fc.Arbitrary<object>): fc.Arbitrary<Change> {
  return fc.tuple(copyIndex, body).map(
    ([copy, given]) =>
      (run) =>
        operate(run, `clients/${run.copies[copy]?.reader.clientId}/${path}`, given),
  );
}

const customNames = fc.record({ names: fc.constantFrom(['A'], ['B']) });
const feeds = fc.array(feedRecord, { minLength: 1, maxLength: 4 });
const verbs = fc.constantFrom(['erase'], ['readmit'], ['erase', 'readmit']);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: feeds.map(
      (records): Change =>
        ({ service }) =>
          load(service.database, records),
    ),
  },
  fc.tuple(personId, verbs).map(([person, all]): Change => async (run) => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const verb of all) await operate(run, `persons/${person}/${verb}`);
  }),
  fc.tuple(personId, number).map(([person, city]): Change => ({ service }) => {
    return service.send('PATCH', `/api/v1/persons/${person}`, { body: { addresses: [{ city: String(city) }] } });
  }),
  operateOn('grants', grants),
  fc.oneof(operateOn('custom-fields/allow', customNames), operateOn('custom-fields/deny', customNames)),
  fc.integer({ min: 1, max: 4 }).map(
    (days): Change =>
      ({ service }) =>
        pruneChanges(service.database, days, timeZone),
  ),
);

/** Days pass, something changes, and some read. */
const rounds = fc.array(
  fc.record({
    days: fc.constantFrom(0, 0, 1, 1, 2),
    change,
    copies: fc.uniqueArray(copyIndex, { maxLength: 2 }),
    syncsMirror: fc.constantFrom(true, false, false, false),
  }),
  { minLength: 10, maxLength: 20, size: 'max' },
);

async function clear({ database }: TestService): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of [...feedTables, 'tombstone', 'change_history']) {
      // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
      await transaction.query(`delete from ${table}`);
    }
  });
}

/** Lets days pass for a mirror as for the service. */
function passDaysOfMirror(file: string, days: number): void {
  if (!existsSync(file)) return;
  using database = new DatabaseSync(file);
  database
    .prepare('UPDATE collection SET cursor = date(cursor, ?), synced_at = synced_at - ?')
    .run(`-${days} days`, days * DAY_MS);
}

async function clientOf(service: TestService): Promise<HrClient> {
  const value = await service.token();
  return createHrClient({ baseUrl: service.baseUrl, auth: async () => value });
}

/** Syncs a mirror of the packages, and gives what it has and what the lists have. */
async function syncMirror(hr: HrClient, file: string): Promise<{ mirrored: unknown; listed: unknown }> {
  using mirror = openMirror({ file, source: 'x' });
  for (const collection of ['persons', 'bookings', 'absences'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await mirror.sync(hr, collection, { maxShrink: 1 });
  }
  const persons = await hr.persons.list();
  const absences = await Promise.all(persons.map(async (person) => hr.time.absences(person.id)));
  return {
    mirrored: [[...mirror.persons()], [...mirror.bookings()], [...mirror.absences()]],
    listed: [persons, await hr.time.bookings(), absences.flat()],
  };
}

describe.each(drivers)('lists of changes on %s', (driver: Driver) => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await startService(driver, { HR_TIME_ZONE: timeZone });
    folder = await mkdtemp(join(tmpdir(), 'hr-changes-'));
    return async () => {
      await service.stop();
      await rm(folder, { recursive: true });
    };
  });

  test('keep every copy equal to the full list', async () => {
    const hr = await clientOf(service);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        await clear(service);
        const file = join(folder, `${runs++}.db`);
        const readers = [];
        for (const names of [[], [], ['A'], ['A', 'B']]) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          readers.push(await newReader(service, {}, names));
        }
        const copies = readers.map((reader): Copy => ({ reader, lists: new Map() }));
        const run: Run = {
          service,
          copies,
          async passDays(days) {
            await service.database.transaction(async (transaction) => {
              await transaction.query('delete from change_period');
              const earlier = `- interval '${days} days'`;
              await transaction.query(`update change_set set changed_at = changed_at ${earlier}`);
              await transaction.query(`update change_history set kept_since = kept_since ${earlier}`);
            });
            for (const copy of copies) for (const list of copy.lists.values()) list.daysSince += days;
            passDaysOfMirror(file, days);
          },
        };
        // oxlint-disable no-await-in-loop -- one after the other
        for (const round of all) {
          if (round.days > 0) await run.passDays(round.days);
          await round.change(run);
          for (const index of round.copies) await readAllAndCompare(copies[index] as Copy);
          if (round.syncsMirror) await syncMirror(hr, file);
        }
        for (const copy of copies) await readAllAndCompare(copy);
        // oxlint-enable no-await-in-loop
        const { mirrored, listed } = await syncMirror(hr, file);
        expect(mirrored).toEqual(listed);
      }),
      { numRuns: testScale, endOnFailure: true },
    );
  });
});
