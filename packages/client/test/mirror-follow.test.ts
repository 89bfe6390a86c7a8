import { expect, test, vi } from 'vitest';
import type { FollowOptions, SyncResult } from '../src/mirror/index.ts';
import { changesOf, mirrorCloud, newMirror, type MirrorCloud } from './mirror-cloud.ts';

const persons: FollowOptions = { collections: ['persons'] };
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
