import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterEach, expect, test, vi } from 'vitest';
import { openMirror, type Mirror, type MirrorChange, type SyncResult } from '../src/mirror/index.ts';
import { mirrorCloud, setClock, withBody, type MirrorCloud } from './mirror-cloud.ts';

afterEach(() => vi.useRealTimers());

interface Run extends MirrorCloud {
  readonly mirror: Mirror;
  /** What each consumer of the log has. */
  readonly copies: Record<string, Map<string, unknown>>;
  /** All persons, when their changes were undone last. */
  undone: ReadonlyMap<string, object>;
  /** Whether the last sync of absences ended early, so that the next one may use what it read. */
  isInterrupted: boolean;
}
/** A change in the service, time that passes, or a sync. */
type Step = (run: Run) => unknown;

const consumers = ['ldap', 'badges'];
const HOUR_MS = 3_600_000;
const id = fc.constantFrom('p1', 'p2', 'p3', 'p4');
const number = fc.integer({ min: 1, max: 3 });
const date = number.map((day) => `2026-01-0${day}`);
const absenceId = number.map((each) => `a${each}`);
const optional = { requiredKeys: [] };
const employment = fc.constantFrom('c1', 'c2');
const person = fc.record(
  {
    firstName: fc.constantFrom('Zoë', 'Ada'),
    jobTitle: fc.constantFrom('Clerk', 'Manager'),
    bankDetails: fc.constantFrom({ iban: 'DE02120300000000202051' }, { iban: 'FR7630006000011234567890189' }),
    keyNumber: fc.constantFrom('1', '2'),
  },
  optional,
);

/** A step about a person, if the service has the person. */
function about<T extends { readonly personId: string }>(
  arbitrary: fc.Arbitrary<T>,
  act: (run: Run, drawn: T) => unknown,
): fc.Arbitrary<Step> {
  return arbitrary.map((drawn) => (run) => {
    if (run.fake.persons.list().some((each) => each.id === drawn.personId)) act(run, drawn);
  });
}

const event = fc.oneof(
  fc
    .record({ personId: id, person, employments: fc.uniqueArray(employment, { maxLength: 2 }) })
    .map((drawn): Step => ({ fake }) => {
      const { personId } = drawn;
      const employments = drawn.employments.map((each) => ({ payrollContractId: `${personId}-${each}` }));
      fake.persons.add({ id: personId, ...drawn.person, employments });
    }),
  about(
    fc.record({ personId: id, name: fc.constantFrom('a deleted person' as const, 'an erased person' as const) }),
    ({ fake }, { personId, name }) => fake.state(name, { id: personId }),
  ),
  about(fc.record({ personId: id, date, targetTime: number }), ({ fake }, day) => fake.timeDays.add(day)),
  about(fc.record({ personId: id, date }), ({ fake }, day) => fake.state('a deleted day of time bookings', day)),
  about(fc.record({ personId: id, id: absenceId, startDate: date, amount: number }), ({ fake }, absence) =>
    fake.absences.add(absence),
  ),
  about(fc.record({ personId: id, id: absenceId }), ({ fake }, absence) => fake.state('a deleted absence', absence)),
);

const pause = fc.integer({ min: 1, max: 60 }).map(
  (hours): Step =>
    () =>
      setClock(new Date(Date.now() + hours * HOUR_MS).toISOString()),
);

const sync = fc
  .record({
    collection: fc.constantFrom('persons', 'bookings', 'absences'),
    full: fc.boolean(),
    isRehearsed: fc.boolean(),
    order: fc.array(fc.nat(), { minLength: 3, maxLength: 12 }),
    /** It fails after so many lists, which a later sync of absences need not read again. */
    lists: fc.option(fc.nat({ max: 3 }), { nil: Infinity }),
  })
  .map(({ collection, full, isRehearsed, order, lists }): Step => async (run) => {
    let received = 0;
    run.respond = async (response) => {
      if (received++ >= lists) return new Response(null, { status: 403 });
      return response.ok ? withBody(response, inDisorder((await response.json()) as object[], order)) : response;
    };
    if (collection === 'absences') run.isInterrupted = lists < Infinity;
    if (lists < Infinity) {
      await run.mirror.sync(run.hr, collection, { full, maxShrink: 1 }).catch(() => undefined);
      return;
    }
    const options = { full, maxShrink: 1 };
    const rehearsal = isRehearsed && (await run.mirror.sync(run.hr, collection, { ...options, dryRun: true }));
    const result = await run.mirror.sync(run.hr, collection, options);
    if (rehearsal) expectSame(rehearsal, result);
    await undo(run);
  });

function expectSame(rehearsal: SyncResult, result: SyncResult): void {
  const { collection, durationMs, changes, added, changed, deleted, erased } = rehearsal;
  expect(rehearsal).toEqual({ ...result, dryRun: true, durationMs, changes });
  const ofCollection = changes.filter((each) => each.collection === collection);
  expect(ofCollection).toHaveLength(added + changed + deleted + erased);
}

/** A program that keeps a copy by the log, and may fail after some changes. */
const consumer = fc.record({ name: fc.constantFrom(...consumers), most: fc.nat({ max: 5 }) }).map(
  ({ name, most }): Step =>
    (run) =>
      consume(run, name, most),
);

async function consume({ mirror, copies }: Run, name: string, most = Infinity): Promise<void> {
  const copy = (copies[name] ??= new Map());
  let count = 0;
  for await (const change of mirror.changes({ consumer: name })) {
    if (count++ >= most) return;
    const { collection } = change;
    const content = contentOf(mirror);
    if (change.kind === 'reset') {
      for (const key of copy.keys()) if (key.startsWith(collection)) copy.delete(key);
      for (const [key, row] of content) if (key.startsWith(collection)) copy.set(key, row);
      continue;
    }
    const key = `${collection} ${change.personId} ${change.id}`;
    const row = content.get(key);
    if (row === undefined) copy.delete(key);
    else copy.set(key, row);
  }
}

/** Undoes the changes of persons since the last call, by the values before. They are then as they were. */
async function undo(run: Run): Promise<void> {
  const copyOf = (): Map<string, Record<string, unknown>> =>
    new Map(Array.from(run.mirror.persons(), (row) => [row.id, structuredClone({ ...row })]));
  const persons = copyOf();
  const changes: MirrorChange[] = [];
  for await (const change of run.mirror.changes({ consumer: 'undo' })) {
    if (change.collection === 'persons') changes.push(change);
  }
  const { undone } = run;
  run.undone = copyOf();
  if (changes.some(({ kind }) => kind === 'reset')) return;
  const others = new Set<string>();
  for (const change of changes.toReversed()) {
    if (change.kind === 'reset') continue;
    if (change.kind !== 'changed') others.add(change.id);
    const row = persons.get(change.id) ?? {};
    for (const field of change.fields) delete row[field];
    Object.assign(row, change.before);
  }
  const known = [...undone].filter(([key]) => !others.has(key));
  expect(known.map(([key]) => persons.get(key))).toEqual(known.map(([, row]) => row));
}

/** Each row of a mirror. */
function contentOf(mirror: Mirror): Map<string, unknown> {
  const persons = Array.from(mirror.persons(), (row) => [`persons ${row.id} ${row.id}`, row] as const);
  const days = Array.from(mirror.bookings(), ({ personId, days: all }) =>
    all.map((day) => [`bookings ${personId} ${personId}/${day.date}`, day] as const),
  );
  const absences = Array.from(mirror.absences(), (row) => [`absences ${row.personId} ${row.id}`, row] as const);
  return new Map<string, unknown>([...persons, ...days.flat(), ...absences]);
}

/** Shuffles a list, repeats elements, and splits persons with several days. */
function inDisorder(list: readonly object[], order: readonly number[]): object[] {
  const placeOf = (index: number): number => (order[index % order.length] ?? 0) * (index + 1);
  const shuffle = <Element>(elements: readonly Element[]): Element[] =>
    elements
      .map((element, index) => ({ element, place: placeOf(index) % 101 }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ element }) => element);
  const split = list.flatMap((element) => {
    if (!('days' in element)) return [element];
    const days = shuffle(element.days as object[]);
    return [
      { ...element, days: days.slice(0, 1) },
      { ...element, days: days.slice(1) },
    ];
  });
  return shuffle(split.flatMap((element, index) => (placeOf(index) % 2 === 0 ? [element] : [element, element])));
}

test('after any changes and syncs, the mirror equals the lists, and so do copies that are kept by its log', async () => {
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: event }, pause, sync, consumer), {
    maxLength: 40,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, hasCursors) => {
      setClock('2026-01-10T12:00:00Z');
      const cloud = mirrorCloud(0, hasCursors);
      using mirror = openMirror({ file: ':memory:', source: 'x' });
      const run: Run = Object.assign(cloud, { mirror, copies: {}, undone: new Map(), isInterrupted: false });
      await mirror.sync(cloud.hr, 'persons');
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      for (const step of all) await step(run);

      cloud.respond = (response) => response;
      for (const collection of ['persons', 'bookings', 'absences'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one sync at a time
        await mirror.sync(cloud.hr, collection);
      }
      // What the interrupted sync read may have changed since.
      if (run.isInterrupted) await mirror.sync(cloud.hr, 'absences');
      await undo(run);
      const persons = await cloud.hr.persons.list();
      const absences = await Promise.all(persons.map(async (each) => cloud.hr.time.absences(each.id)));
      expect([...mirror.persons()]).toEqual(persons);
      expect([...mirror.bookings()]).toEqual(await cloud.hr.time.bookings());
      expect([...mirror.absences()]).toEqual(absences.flat());
      for (const name of consumers) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await consume(run, name);
        expect(run.copies[name]).toEqual(contentOf(mirror));
      }
    }),
    { numRuns: 50 * testScale },
  );
});
