import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterEach, expect, test, vi } from 'vitest';
import { openMirror, type Mirror, type MirrorChange, type SyncOptions, type SyncResult } from '../src/mirror/index.ts';
import { mirrorCloud, setClock, withBody, type MirrorCloud } from './mirror-cloud.ts';

afterEach(() => vi.useRealTimers());

interface Run extends MirrorCloud {
  readonly mirror: Mirror;
}
/** A change in the service, time that passes, or a sync. */
type Step = (run: Run) => unknown;

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

const change = fc.oneof(
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
  })
  .map(({ collection, full, isRehearsed, order }): Step => async (run) => {
    run.respond = async (response) =>
      response.ok ? withBody(response, inDisorder((await response.json()) as object[], order)) : response;
    const changes: MirrorChange[][] = [];
    const options = (dryRun: boolean): SyncOptions => {
      const list: MirrorChange[] = [];
      changes.push(list);
      return { full, dryRun, maxShrink: 1, onChange: (each) => list.push(each) };
    };
    const rehearsal = isRehearsed && (await run.mirror.sync(run.hr, collection, options(true)));
    const result = await run.mirror.sync(run.hr, collection, options(false));
    if (rehearsal) expectSame(rehearsal, result, changes);
  });

function expectSame(rehearsal: SyncResult, result: SyncResult, [planned, made]: readonly MirrorChange[][]): void {
  expect(rehearsal).toEqual({ ...result, dryRun: true, durationMs: rehearsal.durationMs });
  expect(planned).toEqual(made);
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

test('after any changes and syncs, the mirror equals the lists', async () => {
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: change }, pause, sync), { maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, hasCursors) => {
      setClock('2026-01-10T12:00:00Z');
      const cloud = mirrorCloud(0, hasCursors);
      using mirror = openMirror({ file: ':memory:', source: 'x' });
      const run: Run = Object.assign(cloud, { mirror });
      await mirror.sync(cloud.hr, 'persons');
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      for (const step of all) await step(run);

      cloud.respond = (response) => response;
      for (const collection of ['persons', 'bookings', 'absences'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one sync at a time
        await mirror.sync(cloud.hr, collection);
      }
      const persons = await cloud.hr.persons.list();
      const absences = await Promise.all(persons.map(async (each) => cloud.hr.time.absences(each.id)));
      expect([...mirror.persons()]).toEqual(persons);
      expect([...mirror.bookings()]).toEqual(await cloud.hr.time.bookings());
      expect([...mirror.absences()]).toEqual(absences.flat());
    }),
    { numRuns: 50 * testScale },
  );
});
