import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MirrorChange, SyncOptions } from '../src/mirror/index.ts';
import { changesOf, mirrorCloud, newMirror, setClock, withBody } from './mirror-cloud.ts';

const DAY_1 = '2026-03-01T12:00:00.000Z';
const DAY_2 = '2026-03-02T12:00:00.000Z';
const at = (instant: string, system: string) => ({ at: instant, system });
const unchanged = { added: 0, changed: 0, unchanged: 0, deleted: 0, erased: 0 };

beforeEach(() => setClock(DAY_1));
afterEach(() => vi.useRealTimers());

describe('the first sync', () => {
  test('stores the complete lists', async () => {
    const { hr, requests } = mirrorCloud(20);
    using mirror = newMirror();
    expect(mirror.status()).toEqual(
      ['persons', 'bookings', 'absences'].map((collection) => ({
        collection,
        rows: 0,
        cursor: undefined,
        syncedAt: undefined,
        fullSyncedAt: undefined,
      })),
    );
    const results = [];
    for (const collection of ['persons', 'bookings', 'absences'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one sync at a time
      results.push(await mirror.sync(hr, collection));
    }
    expect(requests.slice(0, 3)).toEqual(['/persons', '/time-bookings', '/persons/100001/absences']);

    const persons = await hr.persons.list();
    const bookings = await hr.time.bookings();
    const absences = (await Promise.all(persons.map(async ({ id }) => hr.time.absences(id)))).flat();
    expect([...mirror.persons()]).toEqual(persons);
    expect([...mirror.bookings()]).toEqual(bookings);
    expect([...mirror.absences()]).toEqual(absences);
    const days = bookings.flatMap((person) => person.days).length;
    const added = [persons.length, days, absences.length];
    expect(results).toEqual(
      added.map((rows, index) => ({
        ...unchanged,
        collection: ['persons', 'bookings', 'absences'][index],
        full: true,
        dryRun: false,
        skipped: false,
        changes: [],
        added: rows,
        cursor: '2026-02-28',
        durationMs: expect.any(Number),
      })),
    );
    expect(mirror.status()).toMatchObject(
      added.map((rows) => ({ rows, cursor: '2026-02-28', syncedAt: DAY_1, fullSyncedAt: DAY_1 })),
    );
  });

  test('reports its progress, and the changes of a dry run', async () => {
    const { fake, hr } = mirrorCloud();
    fake.persons.add({ id: 'p1', lastName: 'Roth' });
    fake.timeDays.add({ personId: 'p1', date: '2026-03-01', targetTime: 8 });
    fake.absences.add({ personId: 'p1', id: 'a1', startDate: '2026-03-01' });
    using mirror = newMirror();
    const changes: MirrorChange[] = [];
    const progress: number[] = [];
    for (const collection of ['persons', 'bookings', 'absences'] as const) {
      // oxlint-disable no-await-in-loop -- one sync at a time
      changes.push(...(await mirror.sync(hr, collection, { dryRun: true })).changes);
      const onProgress: SyncOptions['onProgress'] = ({ done }) => progress.push(done);
      expect(await mirror.sync(hr, collection, { onProgress })).toMatchObject({ added: 1, changes: [] });
      // oxlint-enable no-await-in-loop
    }
    const fields = ['id', 'lastName', 'middleName', 'groups', 'customFields', 'employments', 'payrollContractIds'];
    const row = { kind: 'added', personId: 'p1' };
    expect(changes).toEqual([
      { ...row, collection: 'persons', id: 'p1', fields },
      { ...row, collection: 'bookings', id: 'p1/2026-03-01', fields: ['date', 'targetTime'] },
      { ...row, collection: 'absences', id: 'a1', fields: ['id', 'personId', 'startDate'] },
    ]);
    expect(progress).toEqual([1, 1, 1]);
  });
});

const isGone = (id: string): boolean => id.startsWith('100001') || id.startsWith('100002');

describe('a later sync', () => {
  test('reads changes from the day before the last one began, and merges them', async () => {
    const { hr, requests } = mirrorCloud(3);
    using mirror = newMirror();
    await mirror.sync(hr, 'persons');
    setClock(DAY_2);
    const before = mirror.person('100001')?.person;
    await hr.persons.update('100001', { bankDetails: { iban: 'DE02120300000000202051' } });
    await changesOf(mirror);
    const result = await mirror.sync(hr, 'persons');
    expect(requests.at(-1)).toBe('/persons?changedSince=2026-02-28');
    expect(result).toMatchObject({ full: false, changed: 1, unchanged: 2, cursor: '2026-03-01' });
    expect(await changesOf(mirror)).toMatchObject([
      { collection: 'persons', kind: 'changed', personId: '100001', id: '100001', fields: ['bankDetails'] },
    ]);
    expect(mirror.person('100001')?.person).toEqual({ ...before, bankDetails: { iban: 'DE02120300000000202051' } });
    expect(mirror.status()[0]).toMatchObject({ syncedAt: DAY_2, fullSyncedAt: DAY_1 });

    // The same again is a no-op.
    await expect(mirror.sync(hr, 'persons')).resolves.toMatchObject({ ...unchanged, unchanged: 3 });
    expect([...mirror.persons()]).toEqual(await hr.persons.list());
    // A program that caches something by this moment has to notice the other sync.
    expect(mirror.status()[0]).toMatchObject({ syncedAt: '2026-03-02T12:00:00.001Z', fullSyncedAt: DAY_1 });
    await mirror.sync(hr, 'persons', { full: true });
    const third = '2026-03-02T12:00:00.002Z';
    expect(mirror.status()[0]).toMatchObject({ syncedAt: third, fullSyncedAt: third });
  });

  test('clears fields that are null, and keeps the others, a middle name and unknown fields', async () => {
    const cloud = mirrorCloud();
    using mirror = newMirror();
    const person = { id: 'p1', firstName: 'Zoë', middleName: 'Ada', jobTitle: 'Clerk', shoeSize: 43, badge: [1] };
    cloud.respond = (response) => withBody(response, [person]);
    await mirror.sync(cloud.hr, 'persons');
    const change = { id: 'p1', firstName: 'Zoe', middleName: '', jobTitle: null, badge: [2], gender: 'MALE' };
    cloud.respond = (response) => withBody(response, [change, change]);
    await changesOf(mirror);
    await mirror.sync(cloud.hr, 'persons');
    const expected = { id: 'p1', firstName: 'Zoe', middleName: 'Ada', shoeSize: 43, badge: [2], gender: 'MALE' };
    expect([...mirror.persons()]).toEqual([expected]);
    // A field that had no value is missing in the values before.
    const fields = ['firstName', 'jobTitle', 'badge', 'gender'];
    const before = { firstName: 'Zoë', jobTitle: 'Clerk', badge: [1] };
    expect(await changesOf(mirror)).toEqual([
      { kind: 'changed', collection: 'persons', personId: 'p1', id: 'p1', fields, before },
    ]);
  });

  test('deletes persons, with their time bookings and absences', async () => {
    const { fake, hr } = mirrorCloud(5);
    using mirror = newMirror();
    await mirror.sync(hr, 'persons');
    await mirror.sync(hr, 'bookings');
    await mirror.sync(hr, 'absences');
    for (const personId of ['100001', '100002']) {
      expect([...mirror.absences({ personId })]).not.toEqual([]);
      fake.timeDays.add({ personId, date: '2026-03-01' });
    }
    await mirror.sync(hr, 'bookings');
    fake.state('a deleted person', { id: '100001' });
    fake.state('an erased person', { id: '100002' });
    await changesOf(mirror);
    const days = [...mirror.bookings()].flatMap(({ personId, days: all }) =>
      all.map(({ date }) => `${personId}/${date}`),
    );
    const absences = Array.from(mirror.absences(), ({ id, personId }) => ({ id, personId }));
    const result = await mirror.sync(hr, 'persons');
    expect(result).toMatchObject({ deleted: 1, erased: 1, unchanged: 3 });
    const changes = await changesOf(mirror);
    expect(changes.filter(({ collection }) => collection === 'persons')).toMatchObject([
      { kind: 'deleted', personId: '100001', id: '100001', fields: [] },
      { kind: 'erased', personId: '100002', id: '100002', fields: [] },
    ]);
    const taken = Map.groupBy(changes, ({ collection }) => collection);
    expect(taken.get('bookings')?.map(({ id }) => id)).toEqual(days.filter(isGone));
    expect(
      taken
        .get('absences')
        ?.map(({ id }) => id)
        .toSorted(),
    ).toEqual(
      absences
        .filter(({ personId }) => isGone(personId))
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const personId of ['100001', '100002']) {
      expect(mirror.person(personId)).toBeUndefined();
      expect([...mirror.bookings({ personId }), ...mirror.absences({ personId })]).toEqual([]);
    }
    // They are reported again, and are gone already.
    await expect(mirror.sync(hr, 'persons')).resolves.toMatchObject({ deleted: 0, erased: 0, unchanged: 5 });
  });

  test('deletes days and absences', async () => {
    const { fake, hr } = mirrorCloud();
    fake.persons.add({ id: 'p1' });
    for (const date of ['2026-02-01', '2026-02-02']) fake.timeDays.add({ personId: 'p1', date, targetTime: 8 });
    for (const id of ['a1', 'a2']) fake.absences.add({ personId: 'p1', id, startDate: '2026-02-01' });
    using mirror = newMirror();
    await mirror.sync(hr, 'persons');
    await mirror.sync(hr, 'bookings');
    await mirror.sync(hr, 'absences');
    fake.state('a deleted day of time bookings', { personId: 'p1', date: '2026-02-01' });
    fake.state('a deleted absence', { personId: 'p1', id: 'a1' });
    fake.absences.add({ personId: 'p1', id: 'a2', startDate: '2026-02-01', endDate: '2026-02-03' });
    await changesOf(mirror);
    await expect(mirror.sync(hr, 'bookings')).resolves.toMatchObject({ deleted: 1, unchanged: 1 });
    await expect(mirror.sync(hr, 'absences')).resolves.toMatchObject({ deleted: 1, changed: 1 });
    expect(await changesOf(mirror)).toEqual([
      { collection: 'bookings', kind: 'deleted', personId: 'p1', id: 'p1/2026-02-01', fields: [] },
      { collection: 'absences', kind: 'deleted', personId: 'p1', id: 'a1', fields: [] },
      { collection: 'absences', kind: 'changed', personId: 'p1', id: 'a2', fields: ['endDate'] },
    ]);
    expect([...mirror.bookings()]).toEqual(await hr.time.bookings());
    expect([...mirror.absences()]).toEqual(await hr.time.absences('p1'));
  });

  test('a deletion counts wherever the list has it', async () => {
    const cloud = mirrorCloud();
    using mirror = newMirror();
    cloud.respond = (response) => withBody(response, [{ id: 'p1' }, { id: 'p2' }]);
    await mirror.sync(cloud.hr, 'persons');
    const elements = [
      { id: 'p1', erased: true },
      { id: 'p1', firstName: 'Zoë' },
      { id: 'p2', firstName: 'Zoë' },
      { id: 'p2', deleted: true },
    ];
    cloud.respond = (response) => withBody(response, elements);
    await mirror.sync(cloud.hr, 'persons');
    expect([...mirror.persons()]).toEqual([]);
    // They may come back later.
    cloud.respond = (response) => withBody(response, [{ id: 'p1', firstName: 'Zoë' }]);
    await expect(mirror.sync(cloud.hr, 'persons')).resolves.toMatchObject({ added: 1 });
  });
});

describe('the cursor', () => {
  test.each([
    ['the clock of the service, which is behind', 'Sat, 28 Feb 2026 00:00:00 GMT', '2026-02-27'],
    ['the local clock, which is behind', 'Tue, 03 Mar 2026 12:00:00 GMT', '2026-02-28'],
    ['the local clock, because the service shows none', undefined, '2026-02-28'],
  ])('is a day before %s', async (_, date, cursor) => {
    const cloud = mirrorCloud(1);
    using mirror = newMirror();
    cloud.respond = (response) => {
      response.headers.delete('date');
      if (date !== undefined) response.headers.set('date', date);
      return response;
    };
    await expect(mirror.sync(cloud.hr, 'persons')).resolves.toMatchObject({ cursor });
  });

  test('of a clock that was ahead is not used: the next sync is full', async () => {
    const cloud = mirrorCloud(1);
    cloud.respond = (response) => {
      response.headers.delete('date');
      return response;
    };
    using mirror = newMirror();
    setClock('2030-01-01T12:00:00.000Z');
    await mirror.sync(cloud.hr, 'persons');
    setClock(DAY_2);
    await expect(mirror.sync(cloud.hr, 'persons')).resolves.toMatchObject({ full: true, cursor: '2026-03-01' });
    await expect(mirror.sync(cloud.hr, 'persons')).resolves.toMatchObject({ full: false });
  });

  test('belongs to the start of the sync, not to its end', async () => {
    const cloud = mirrorCloud(2);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    cloud.respond = (response) => {
      setClock(DAY_2);
      return response;
    };
    await expect(mirror.sync(cloud.hr, 'absences')).resolves.toMatchObject({ cursor: '2026-02-28' });
  });
});

describe('a field knows when it was last seen, and from which system:', () => {
  test('a full sync sees all, a change those of its systems', async () => {
    const cloud = mirrorCloud(2);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    setClock('2026-03-05T12:00:00.000Z');
    await cloud.hr.persons.update('100001', { bankDetails: { iban: 'DE02120300000000202051' } });
    // The change of the day before is not reported any more.
    setClock('2026-03-06T12:00:00.000Z');
    cloud.respond = async (response) => withBody(response, ((await response.json()) as object[]).slice(0, 1));
    const person = mirror.person('100001');
    expect(person?.seen['lastName']).toEqual(at(DAY_1, 'master'));
    await mirror.sync(cloud.hr, 'persons');
    const all = mirror.person('100001')?.seen;
    expect(Object.keys(all ?? {})).toEqual(Object.keys(person?.person ?? {}));
    expect(all).toMatchObject({
      id: at('2026-03-06T12:00:00.000Z', 'master'),
      bankDetails: at('2026-03-06T12:00:00.000Z', 'payroll'),
      employments: at('2026-03-06T12:00:00.000Z', 'payroll'),
    });
    expect(mirror.person('100002')?.seen['employments']).toEqual(at(DAY_1, 'payroll'));
    setClock('2026-03-07T12:00:00.000Z');
    cloud.respond = (response) => response;
    await mirror.sync(cloud.hr, 'persons', { full: true });
    for (const { at: seenAt } of Object.values(mirror.person('100001')?.seen ?? {})) {
      expect(seenAt).toBe('2026-03-07T12:00:00.000Z');
    }
  });

  test('a change with a part of a system', async () => {
    const cloud = mirrorCloud();
    using mirror = newMirror();
    const sync = async (day: number, element: object): Promise<void> => {
      setClock(`2026-03-0${day}T12:00:00.000Z`);
      cloud.respond = (response) => withBody(response, [{ id: 'p1', ...element }]);
      await mirror.sync(cloud.hr, 'persons');
    };
    const seenDays = (): Record<string, string> => {
      const seen = Object.entries(mirror.person('p1')?.seen ?? {});
      return Object.fromEntries(seen.map(([field, each]) => [field, `${each.system} ${each.at.slice(8, 10)}`]));
    };
    await sync(1, { firstName: 'Zoë', jobTitle: 'Clerk', keyNumber: '7', middleName: 'Ada' });
    await sync(2, { firstName: 'Zoë', jobTitle: null, middleName: '' });
    expect(seenDays()).toEqual({
      id: 'master 02',
      firstName: 'master 02',
      keyNumber: 'time 01',
      middleName: 'master 01',
    });
    await sync(3, { keyNumber: '8', shoeSize: 43 });
    expect(seenDays()).toEqual({
      id: 'master 03',
      firstName: 'master 02',
      keyNumber: 'time 03',
      middleName: 'master 01',
      shoeSize: 'master 03',
    });
    await sync(4, { firstName: 'Zoe', middleName: 'Bea', shoeSize: 43, address: null });
    expect(seenDays()).toMatchObject({ firstName: 'master 04', middleName: 'master 04', shoeSize: 'master 04' });
    await sync(5, {});
    expect(seenDays()).toMatchObject({ id: 'master 04', firstName: 'master 04', keyNumber: 'time 03' });
  });
});
