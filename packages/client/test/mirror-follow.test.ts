import { problemType } from '@hr/schemas/checks';
import { expect, test, vi } from 'vitest';
import type { FollowOptions, SyncResult } from '../src/mirror/index.ts';
import { changesOf, mirrorCloud, newMirror, withBody, type MirrorCloud } from './mirror-cloud.ts';

const persons: FollowOptions = { collections: ['persons'] };
const expired = { status: 410, headers: { 'content-type': 'application/problem+json' } };
const iban = 'DE02120300000000202051';

async function next(results: AsyncGenerator<SyncResult, void>): Promise<SyncResult | undefined> {
  return (await results.next()).value ?? undefined;
}

const requestsOf = ({ requests }: MirrorCloud): string[] => requests.map((target) => target.replace(/=[^&]*/g, ''));

test('a mirror follows what changes, without a request in between', async () => {
  const cloud = mirrorCloud(3, true);
  const { fake, hr } = cloud;
  using mirror = newMirror();
  const results = mirror.follow(hr, { collections: ['persons', 'bookings', 'absences'] });
  const first = [await next(results), await next(results), await next(results)];
  expect(first.map((result) => result?.collection)).toEqual(['persons', 'bookings', 'absences']);
  cloud.requests.length = 0;
  const later = next(results);
  await vi.waitFor(() => expect(requestsOf(cloud)).toEqual(['/changes?after&wait']));
  const [{ id }] = fake.persons.list() as [{ id: string }];
  fake.absences.add({ personId: id, id: 'new', startDate: '2026-02-01' });
  expect(await later).toMatchObject({ collection: 'absences', full: false, added: 1, unchanged: 0 });
  expect(requestsOf(cloud)).toEqual(['/changes?after&wait', '/absences?after']);
  await results.return();
  expect([...mirror.absences({ personId: id })]).toEqual(await hr.time.absences(id));
});

test('what changes between a sync and the wait is not missed', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  const results = mirror.follow(cloud.hr, persons);
  await next(results);
  cloud.fake.persons.add({ id: 'p1' });
  expect(await next(results)).toMatchObject({ full: false, added: 1 });
  await results.return();
});

test('a cursor that expires has everything read again', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  const results = mirror.follow(cloud.hr, persons);
  await next(results);
  cloud.fake.expireCursors('database');
  expect(await next(results)).toMatchObject({ full: true, unchanged: 3 });
  await results.return();
});

test('days and absences come back with a person whose deletion was lost', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  const syncAll = async (): Promise<unknown> => {
    // oxlint-disable-next-line no-await-in-loop -- one sync at a time
    for (const collection of ['persons', 'bookings', 'absences'] as const) await mirror.sync(cloud.hr, collection);
    return [[...mirror.persons()], [...mirror.bookings()], [...mirror.absences()]];
  };
  for (const { id } of cloud.fake.persons.list()) cloud.fake.timeDays.add({ personId: id, date: '2026-02-01' });
  const before = await syncAll();
  const [{ id }] = cloud.fake.persons.list() as [{ id: string }];
  cloud.respond = (response) => withBody(response, [{ id, deleted: true }]);
  expect(await mirror.sync(cloud.hr, 'persons')).toMatchObject({ deleted: 1 });
  // The service is restored to the time before, so the cursors of days and absences are still valid.
  cloud.respond = (response, target) =>
    target.startsWith('/persons?after') ? Response.json({ type: problemType('cursor-expired') }, expired) : response;
  expect(await syncAll()).toEqual(before);
});

test('a service that does not tell of changes is asked again and again', async () => {
  const cloud = mirrorCloud(3);
  cloud.respond = (response, target) =>
    target.startsWith('/changes') ? new Response('{}', { status: 404 }) : response;
  using mirror = newMirror();
  const results = mirror.follow(cloud.hr, { ...persons, pollSeconds: 0.01 });
  await next(results);
  cloud.fake.persons.add({ id: 'p1' });
  expect(await next(results)).toMatchObject({ full: false, added: 1 });
  await results.return();
  expect(requestsOf(cloud)).toEqual(['/changes?wait', '/persons', '/persons?changedSince']);
});

test('a failure that can pass is reported, and tried again', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  cloud.fake.failNext('listPersons', 503);
  const onFailure = vi.fn<NonNullable<FollowOptions['onFailure']>>();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const results = mirror.follow(cloud.hr, { ...persons, onFailure });
  cloud.respond = (response) => {
    response.headers.delete('retry-after');
    return response;
  };
  expect(await next(results)).toMatchObject({ added: 3 });
  await results.return();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'server-error' }));
});

test('any other failure ends the loop', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  cloud.fake.failNext('listPersons', 403);
  await expect(next(mirror.follow(cloud.hr, persons))).rejects.toMatchObject({ code: 'forbidden' });
});

test('an abort ends the loop, also in a wait', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  const ending = new AbortController();
  const results = mirror.follow(cloud.hr, { ...persons, signal: ending.signal });
  await next(results);
  const last = next(results);
  await vi.waitFor(() => expect(requestsOf(cloud).at(-1)).toBe('/changes?after&wait'));
  ending.abort();
  expect(await last).toBeUndefined();
});

test('a change of a person that is told twice is stored once, with each change reported', async () => {
  const cloud = mirrorCloud(3, true);
  using mirror = newMirror();
  const results = mirror.follow(cloud.hr, persons);
  await next(results);
  await changesOf(mirror);
  await cloud.hr.persons.update('100001', { bankDetails: { iban } });
  expect(await next(results)).toMatchObject({ changed: 1, unchanged: 0 });
  expect(await changesOf(mirror)).toMatchObject([{ kind: 'changed', id: '100001' }]);
  await results.return();
});
