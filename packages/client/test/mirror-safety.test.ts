import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BulkProgress, HrClient } from '../src/index.ts';
import { isMirrorError, MirrorError, type Collection, type Mirror } from '../src/mirror/index.ts';
import { changesOf, mirrorCloud, newFile, newMirror, setClock, withBody, type MirrorCloud } from './mirror-cloud.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const collections = ['persons', 'bookings', 'absences'] as const;

beforeEach(() => setClock(NOW));
afterEach(() => vi.useRealTimers());

/** Everything that a mirror holds, but its runs. */
function contentOf(mirror: Mirror): unknown {
  return [mirror.status(), [...mirror.persons()], [...mirror.bookings()], [...mirror.absences()]];
}

async function syncAll(mirror: Mirror, hr: HrClient): Promise<void> {
  for (const collection of collections) {
    // oxlint-disable-next-line no-await-in-loop -- one sync at a time
    await mirror.sync(hr, collection);
  }
}

/** A company with days of every person. */
function company(persons: number): MirrorCloud {
  const cloud = mirrorCloud(persons);
  for (const { id } of cloud.fake.persons.list()) cloud.fake.timeDays.add({ personId: id, date: '2026-02-01' });
  return cloud;
}

/** A service that lists only the first half of each list. */
function halve(cloud: MirrorCloud): void {
  cloud.respond = async (response) => {
    const list = (await response.json()) as object[];
    return withBody(response, list.slice(0, Math.floor(list.length / 2)));
  };
}

describe('a full sync', () => {
  test('deletes what the list does not have', async () => {
    const { fake, hr } = company(20);
    using mirror = newMirror();
    await syncAll(mirror, hr);
    fake.state('a deleted person', { id: '100001' });
    fake.state('a deleted absence', { personId: '100002', id: (await hr.time.absences('100002'))[0]?.id ?? '' });
    fake.state('a deleted day of time bookings', { personId: '100002', date: '2026-02-01' });
    await changesOf(mirror);
    for (const collection of collections) {
      // oxlint-disable-next-line no-await-in-loop -- one sync at a time
      const result = await mirror.sync(hr, collection, { full: true });
      expect(result).toMatchObject({ full: true, added: 0, changed: 0, deleted: 1 });
    }
    const changes = await changesOf(mirror);
    expect(changes.filter(({ personId }) => personId !== '100001')).toMatchObject([
      { kind: 'deleted', collection: 'bookings', id: '100002/2026-02-01' },
      { kind: 'deleted', collection: 'absences', personId: '100002' },
    ]);
    const persons = await hr.persons.list();
    expect([...mirror.persons()]).toEqual(persons);
    expect([...mirror.bookings()]).toEqual(await hr.time.bookings());
    const absences = await Promise.all(persons.map(async ({ id }) => hr.time.absences(id)));
    expect([...mirror.absences()]).toEqual(absences.flat());
  });

  test('deletes days of persons who were gone before their first sync', async () => {
    const { fake, hr } = company(3);
    using mirror = newMirror();
    await mirror.sync(hr, 'bookings');
    const [gone] = [...mirror.bookings({ personId: '100001' })];
    fake.state('an erased person', { id: '100001' });
    await changesOf(mirror);
    await mirror.sync(hr, 'persons');
    expect([...mirror.bookings()]).toEqual(await hr.time.bookings());
    const deleted = await changesOf(mirror);
    expect(deleted.map(({ id }) => id)).toEqual(gone?.days.map(({ date }) => `100001/${date}`));
  });

  test('reports days of a person who came and went between two syncs of persons', async () => {
    const { fake, hr } = company(3);
    using mirror = newMirror();
    await mirror.sync(hr, 'persons');
    const { id: personId } = fake.persons.add({ id: 'short' });
    fake.timeDays.add({ personId, date: '2026-03-01' });
    await mirror.sync(hr, 'bookings');
    fake.state('a deleted person', { id: personId });
    await changesOf(mirror);
    await mirror.sync(hr, 'persons');
    expect(await changesOf(mirror)).toMatchObject([
      { collection: 'bookings', kind: 'deleted', personId: 'short', id: 'short/2026-03-01' },
    ]);
    expect([...mirror.bookings({ personId })]).toEqual([]);
  });

  test.each(collections)('refuses a list of %s that is too short, unless maxShrink allows it', async (collection) => {
    const cloud = company(20);
    using mirror = newMirror();
    await syncAll(mirror, cloud.hr);
    const content = contentOf(mirror);
    halve(cloud);
    await changesOf(mirror);
    const sync = mirror.sync(cloud.hr, collection, { full: true });
    await expect(sync).rejects.toSatisfy(isMirrorError);
    const rows = mirror.status().find((each) => each.collection === collection)?.rows ?? 0;
    await expect(sync).rejects.toMatchObject({
      code: 'list-too-short',
      message: expect.stringMatching(new RegExp(`has \\d+ of the ${rows} ${collection} .* maxShrink`)) as string,
    });
    expect(contentOf(mirror)).toEqual(content);
    expect(await changesOf(mirror)).toEqual([]);
    expect(mirror.runs(1)).toMatchObject([{ collection, full: true, error: 'list-too-short', deleted: 0 }]);
    const { deleted } = await mirror.sync(cloud.hr, collection, { full: true, maxShrink: 1 });
    expect(deleted).toBeGreaterThanOrEqual(rows / 2);
  });

  test('may delete exactly the share of maxShrink', async () => {
    const cloud = mirrorCloud(20);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    halve(cloud);
    const options = { full: true, dryRun: true };
    await expect(mirror.sync(cloud.hr, 'persons', { ...options, maxShrink: 0.49 })).rejects.toThrow(MirrorError);
    await expect(mirror.sync(cloud.hr, 'persons', { ...options, maxShrink: 0.5 })).resolves.toMatchObject({
      deleted: 10,
    });
  });
});

describe('a sync that fails stores nothing but its error:', () => {
  test.each<[string, (cloud: MirrorCloud) => void, string]>([
    ['a list that breaks off', ({ fake }) => fake.failNext('listPersons', 'truncated-response'), 'network'],
    ['a refused request', ({ fake }) => fake.failNext('listPersons', 403), 'forbidden'],
    [
      'a body that ends early',
      (cloud) => {
        cloud.respond = async (response) => new Response((await response.text()).slice(0, -1));
      },
      'invalid-response',
    ],
  ])('%s', async (_, fault, code) => {
    const cloud = mirrorCloud(20);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    const content = contentOf(mirror);
    for (const { id } of cloud.fake.persons.list()) cloud.fake.persons.add({ id, lastName: 'Changed' });
    for (const full of [true, false]) {
      fault(cloud);
      // oxlint-disable-next-line no-await-in-loop -- one sync at a time
      await expect(mirror.sync(cloud.hr, 'persons', { full })).rejects.toMatchObject({ name: 'HrError', code });
      expect(contentOf(mirror)).toEqual(content);
      expect(mirror.runs(1)).toMatchObject([{ collection: 'persons', full, error: code, changed: 0, startedAt: NOW }]);
    }
  });

  test('one that is aborted', async () => {
    const { hr } = mirrorCloud(20);
    using mirror = newMirror();
    const content = contentOf(mirror);
    const controller = new AbortController();
    const mine = new Error('mine');
    const onProgress = ({ done }: BulkProgress): void => {
      if (done === 10) controller.abort(mine);
    };
    const sync = mirror.sync(hr, 'persons', { signal: controller.signal, onProgress });
    await expect(sync).rejects.toMatchObject({ code: 'aborted', cause: mine });
    expect(contentOf(mirror)).toEqual(content);
    expect(mirror.runs()).toMatchObject([{ error: 'aborted', added: 0 }]);
  });

  test('one whose own function throws', async () => {
    const { hr } = mirrorCloud(20);
    using mirror = newMirror();
    const mine = new Error('mine');
    const onProgress = ({ done }: BulkProgress): void => {
      if (done === 9) throw mine;
    };
    await expect(mirror.sync(hr, 'persons', { onProgress })).rejects.toBe(mine);
    expect(mirror.countPersons()).toBe(0);
    expect(mirror.runs()).toMatchObject([{ error: 'unknown' }]);
  });
});

test('a dry run reports the changes, and leaves no trace', async () => {
  const { fake, hr } = company(5);
  using mirror = newMirror();
  await syncAll(mirror, hr);
  const content = contentOf(mirror);
  const runs = mirror.runs();
  fake.persons.add({ id: '100001', lastName: 'Changed' });
  fake.persons.add({ id: 'p2' });
  fake.state('an erased person', { id: '100003' });
  const result = await mirror.sync(hr, 'persons', { dryRun: true });
  expect(result).toMatchObject({ dryRun: true, added: 1, changed: 1, erased: 1 });
  const changes = result.changes.filter(({ collection }) => collection === 'persons');
  expect(changes).toMatchObject([
    { kind: 'changed', id: '100001' },
    { kind: 'erased', id: '100003' },
    { kind: 'added', id: 'p2' },
  ]);
  expect(result.changes.filter((change) => 'before' in change)).toEqual([]);
  fake.failNext('listPersons', 503);
  await expect(mirror.sync(hr, 'persons', { dryRun: true })).rejects.toMatchObject({ code: 'server-error' });
  expect(contentOf(mirror)).toEqual(content);
  expect(mirror.runs()).toEqual(runs);
});

describe('a second sync', () => {
  test.each(['a file', ':memory:'])('waits for the end of another one, in %s', async (place) => {
    const cloud = mirrorCloud(5);
    using mirror = newMirror(place === 'a file' ? newFile() : place);
    const { promise, resolve } = Promise.withResolvers<void>();
    cloud.respond = async (response) => {
      await promise;
      return response;
    };
    const first = mirror.sync(cloud.hr, 'persons');
    const refused = { name: 'MirrorError', code: 'sync-running' };
    await expect(mirror.sync(cloud.hr, 'bookings', { waitSeconds: 0 })).rejects.toMatchObject(refused);
    expect(() => mirror.purge()).toThrow(expect.objectContaining(refused) as Error);
    const gaveUp = mirror.sync(cloud.hr, 'bookings', { signal: AbortSignal.timeout(1) });
    await expect(gaveUp).rejects.toMatchObject({ code: 'aborted' });
    const others = ['persons', 'bookings'] as const;
    const waiting = others.map((collection) => mirror.sync(cloud.hr, collection, { maxAgeSeconds: 60 }));
    resolve();
    await expect(first).resolves.toMatchObject({ added: 5 });
    // The first one was for persons, too.
    await expect(Promise.all(waiting)).resolves.toMatchObject([{ skipped: true, added: 0 }, { skipped: false }]);
    expect(cloud.requests).toEqual(['/persons', '/time-bookings']);
  });

  test('readers see the state before a sync until it has ended', async () => {
    const { fake, hr } = mirrorCloud(5);
    const file = newFile();
    using mirror = newMirror(file);
    using other = newMirror(file);
    await mirror.sync(hr, 'persons');
    const before = [...mirror.persons()];
    for (const { id } of before) fake.persons.add({ id, lastName: 'Changed' });
    const seen: unknown[] = [];
    const iterator = other.persons();
    seen.push(iterator.next().value);
    await mirror.sync(hr, 'persons', { onProgress: () => expect([...mirror.persons()]).toEqual(before) });
    seen.push(...iterator);
    expect(seen).toEqual(before);
    expect([...other.persons()]).toEqual(await hr.persons.list());
  });
});

describe('absences', () => {
  test('need persons', async () => {
    const { hr, requests } = mirrorCloud(1);
    using mirror = newMirror();
    await expect(mirror.sync(hr, 'absences')).rejects.toMatchObject({ code: 'no-persons' });
    expect(requests).toEqual([]);
  });

  test('are read completely for a person who is new, and not for one who is gone', async () => {
    const { fake, hr, requests } = mirrorCloud();
    for (const id of ['p1', 'p2']) fake.persons.add({ id });
    using mirror = newMirror();
    await mirror.sync(hr, 'persons');
    await mirror.sync(hr, 'absences');
    fake.persons.add({ id: 'p3' });
    fake.absences.add({ personId: 'p3', id: 'a3', startDate: '2026-03-01' });
    // Their changes are too old for the list of changes.
    setClock('2026-03-20T12:00:00Z');
    await mirror.sync(hr, 'persons');
    fake.state('a deleted person', { id: 'p2' });
    requests.length = 0;
    await expect(mirror.sync(hr, 'absences')).resolves.toMatchObject({ added: 1 });
    expect(requests).toEqual([
      '/persons/p1/absences?changedSince=2026-02-28',
      '/persons/p2/absences?changedSince=2026-02-28',
      '/persons/p3/absences',
    ]);
    expect([...mirror.absences()]).toEqual(fake.absences.list());
    await mirror.sync(hr, 'absences');
    expect(requests.at(-1)).toBe('/persons/p3/absences?changedSince=2026-03-19');
  });

  test('are read while others write, and stored after them', async () => {
    const cloud = mirrorCloud();
    const { fake, hr } = cloud;
    for (const id of ['p1', 'p2']) {
      fake.persons.add({ id });
      fake.absences.add({ personId: id, id: `of ${id}`, startDate: '2026-03-01' });
    }
    const file = newFile();
    using mirror = newMirror(file);
    using other = newMirror(file);
    await mirror.sync(hr, 'persons');
    const held = { absences: Promise.withResolvers<void>(), persons: Promise.withResolvers<void>() };
    cloud.respond = async (response, target) => {
      await (target.includes('/absences') ? held.absences : held.persons).promise;
      return response;
    };
    let read = 0;
    const reading = mirror.sync(hr, 'absences', { onProgress: ({ done }) => (read = done) });
    await vi.waitUntil(() => cloud.requests.some((target) => target.includes('/absences')));
    fake.persons.add({ id: 'p1', lastName: 'Changed' });
    fake.state('a deleted person', { id: 'p2' });
    const writing = other.sync(hr, 'persons');
    held.absences.resolve();
    await vi.waitUntil(() => read === 2);
    expect([...mirror.absences()]).toEqual([]);
    held.persons.resolve();
    await expect(writing).resolves.toMatchObject({ changed: 1, deleted: 1 });
    await expect(reading).resolves.toMatchObject({ added: 1 });
    expect([...mirror.absences()]).toMatchObject([{ personId: 'p1', id: 'of p1' }]);
    expect(mirror.runs().map(({ collection }) => collection)).toEqual(['absences', 'persons', 'persons']);
  });

  test('that no person has are an error of the address', async () => {
    const cloud = mirrorCloud(3);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    cloud.respond = () => new Response('', { status: 404 });
    await expect(mirror.sync(cloud.hr, 'absences')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('end with the first error, and the other requests with them', async () => {
    const cloud = mirrorCloud(30);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    cloud.requests.length = 0;
    cloud.fake.state('an outdated time component', {});
    const sync = mirror.sync(cloud.hr, 'absences');
    await expect(sync).rejects.toMatchObject({ code: 'conflict', problem: { kind: 'time-component-version' } });
    expect(cloud.requests.length).toBeLessThanOrEqual(8);
    expect(mirror.runs(1)).toMatchObject([{ collection: 'absences', error: 'conflict' }]);
  });

  test('go on where a sync ended early, and are read anew after a day', async () => {
    const cloud = mirrorCloud(200);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    const readAll = async (expected: string): Promise<number> => {
      cloud.requests.length = 0;
      let rest = 120;
      cloud.respond = (response) => (rest-- > 0 ? response : new Response(null, { status: 403 }));
      await expect(mirror.sync(cloud.hr, 'absences')).rejects.toMatchObject({ code: 'forbidden' });
      expect([...mirror.absences()]).toEqual([]);
      cloud.respond = (response) => response;
      cloud.requests.length = 0;
      setClock(expected);
      const progress: BulkProgress[] = [];
      await mirror.sync(cloud.hr, 'absences', { onProgress: (each) => progress.push(each) });
      expect(progress.at(-1)).toMatchObject({ done: cloud.requests.length, total: cloud.requests.length, msLeft: 0 });
      const absences = await Promise.all(cloud.fake.persons.list().map(({ id }) => cloud.hr.time.absences(id)));
      expect([...mirror.absences()]).toEqual(absences.flat());
      return progress.length;
    };
    expect(await readAll('2026-03-02T11:00:00Z')).toBeLessThanOrEqual(80);
    expect(mirror.status()[2]).toMatchObject({ cursor: '2026-02-28' });
    mirror.purge();
    await mirror.sync(cloud.hr, 'persons');
    expect(await readAll('2026-03-03T12:00:00Z')).toBe(200);
  });

  test('at most 8 requests run at the same time', async () => {
    const cloud = mirrorCloud(30);
    using mirror = newMirror();
    await mirror.sync(cloud.hr, 'persons');
    let [running, most] = [0, 0];
    cloud.respond = async (response) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return response;
    };
    await mirror.sync(cloud.hr, 'absences');
    expect(most).toBe(8);
  });
});

test.each<[Collection]>([['persons'], ['bookings'], ['absences']])(
  'erased data is not in the files any more: %s',
  async (collection) => {
    const cloud = mirrorCloud(30);
    const { fake, hr } = cloud;
    fake.persons.add({ id: 'z1' });
    fake.persons.add({ id: 'p1', lastName: 'Secretname', bankDetails: { iban: 'DE02120300000000202051' } });
    fake.timeDays.add({
      personId: 'p1',
      date: '2026-02-01',
      bookings: [{ time: '2026-02-01T08:00:00', key: 'Secretday' }],
    });
    fake.absences.add({ personId: 'p1', id: 'a1', startDate: '2026-02-01', key: 'Secretabsence' });
    const file = newFile();
    using mirror = newMirror(file);
    await syncAll(mirror, hr);
    // A consumer that has not read the change yet leaves the values before in the log.
    await changesOf(mirror);
    fake.persons.add({ id: 'p1', lastName: 'Roth', bankDetails: { iban: 'FR7630006000011234567890189' } });
    await mirror.sync(hr, 'persons');
    const secrets = { persons: ['Secretname', 'DE0212'], bookings: ['Secretday'], absences: ['Secretabsence'] }[
      collection
    ];
    const found = (): string[] => {
      const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
      const bytes = names
        .map((name) => readFileSync(join(dirname(file), name), 'latin1'))
        .join('\n')
        .toLowerCase();
      return secrets.filter((secret) => bytes.includes(secret.toLowerCase()));
    };
    // A sync of absences that ended early keeps what it has read.
    cloud.respond = (response, target) => (target.includes('z1') ? new Response(null, { status: 403 }) : response);
    await expect(mirror.sync(hr, 'absences', { full: true })).rejects.toMatchObject({ code: 'forbidden' });
    cloud.respond = (response) => response;
    expect(found()).toEqual(secrets);
    fake.state('an erased person', { id: 'p1' });
    await mirror.sync(hr, 'persons');
    expect(found()).toEqual([]);
  },
);

test.each<[string, object]>([
  ['maxShrink must be a number from 0 to 1', { maxShrink: 10 }],
  ['maxShrink must be', { maxShrink: Number.NaN }],
  ['unknown option dryrun. The options are full, dryRun', { dryrun: true }],
])('a wrong option is named: %s', async (message, options) => {
  const { hr, requests } = mirrorCloud(1);
  using mirror = newMirror();
  await expect(mirror.sync(hr, 'persons', options)).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining(message) as string,
  });
  await expect(mirror.sync(hr, 'person' as 'persons')).rejects.toMatchObject({ code: 'invalid-option' });
  expect(requests).toEqual([]);
});
