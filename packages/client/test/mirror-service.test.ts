import { clientCredentials } from '@hr/auth';
import fc from 'fast-check';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHrClient, type HrClient } from '../src/index.ts';
import { openMirror } from '../src/mirror/index.ts';
import { newFile } from './mirror-cloud.ts';

const FEED = 'application/x-ndjson';
const collections = ['persons', 'bookings', 'absences'] as const;

let demo: Awaited<ReturnType<typeof startDemo>>;
let baseUrl: string;
let hr: HrClient;
let operatorToken: string;

beforeAll(async () => {
  demo = await startDemo();
  baseUrl = demo.url;
  hr = createHrClient({
    baseUrl,
    auth: clientCredentials({ baseUrl, clientId: 'demo', clientSecret: 'demo-secret' }),
  });
  const operator = { clientId: 'operator', clientSecret: 'operator-secret', scope: 'operator' };
  operatorToken = (await clientCredentials({ baseUrl, ...operator }).getToken()).value;
});
afterAll(() => demo.stop());

async function operate(path: string, body: string, type: string): Promise<void> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': type };
  const response = await fetch(`${baseUrl}/operator/v1/${path}`, { method: 'POST', headers, body });
  const { progress } = (await response.json()) as { progress?: { leftOut: readonly object[] } };
  expect([response.status, progress?.leftOut ?? []]).toEqual([200, []]);
}

const personId = fc.constantFrom('p1', 'p2', 'p3', '100001', '100002');
const payrollContractId = fc.constantFrom('c1', 'c2', '1000-20001');
const number = fc.integer({ min: 1, max: 3 });
const date = number.map((day) => `2026-01-0${day}`);
const kind = <Name extends string>(name: Name) => fc.constant(name);

const record = fc.oneof(
  fc.record({
    kind: kind('person'),
    id: personId,
    firstName: fc.constantFrom('Zoë', 'Ada'),
    groups: fc.array(
      number.map((group) => ({ id: `g${group}` })),
      { maxLength: 2 },
    ),
  }),
  fc.record({ kind: kind('mapping'), personId, payrollContractId }),
  fc.record({ kind: kind('employment'), payrollContractId, fullTime: fc.boolean() }),
  fc.record({ kind: kind('bankDetails'), personId, payee: fc.constantFrom('Ada', 'Zoë') }),
  fc.record({ kind: kind('keyNumber'), personId, keyNumber: number.map(String) }),
  fc.record({ kind: kind('timeDay'), personId, date, targetTime: number }),
  fc.record({ kind: kind('absence'), id: number.map((each) => `a${each}`), personId, startDate: date, amount: number }),
  fc.record({ kind: kind('deletePerson'), id: personId }),
  fc.record({ kind: kind('deleteMapping'), payrollContractId }),
  fc.record({ kind: kind('deleteEmployment'), payrollContractId }),
  fc.record({ kind: kind('deleteBankDetails'), personId }),
  fc.record({ kind: kind('deleteKeyNumber'), personId }),
  fc.record({ kind: kind('deleteTimeDay'), personId, date }),
  fc.record({ kind: kind('deleteAbsence'), id: number.map((each) => `a${each}`) }),
);

test('after any feeds, an erasure and syncs, the mirror equals the lists of the service', async () => {
  using mirror = openMirror({ file: newFile(), source: baseUrl });
  async function syncAndCompare(): Promise<void> {
    for (const collection of collections) {
      // oxlint-disable-next-line no-await-in-loop -- one sync at a time
      await mirror.sync(hr, collection);
    }
    expect([...mirror.persons()]).toEqual(await hr.persons.list());
    expect([...mirror.bookings()]).toEqual(await hr.time.bookings());
    for (const id of ['p1', 'p2', 'p3', '100001', '100002']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const absences = mirror.person(id) ? await hr.time.absences(id) : [];
      expect([...mirror.absences({ personId: id })]).toEqual(absences);
    }
  }
  // Most of the company would only take time.
  const persons = (await hr.persons.list()).map(({ id }) => JSON.stringify({ kind: 'deletePerson', id }));
  for (const kept of [30, 5]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await operate('feed', persons.splice(kept).join('\n'), FEED);
    await syncAndCompare();
    // oxlint-enable no-await-in-loop
    expect(mirror.countPersons()).toBe(kept);
  }

  // An absence that moves from one person with absences to another.
  const absences = ['a8', 'a9'].map((id) => ({ kind: 'absence', id, personId: '100001', startDate: '2026-01-01' }));
  for (const moved of [{}, { personId: '100002' }]) {
    const feed = absences.map((absence, index) => JSON.stringify({ ...absence, ...(index === 0 && moved) }));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await operate('feed', feed.join('\n'), FEED);
    // oxlint-disable-next-line no-await-in-loop
    await syncAndCompare();
  }

  const step = fc.oneof(
    fc.array(record, { minLength: 1, maxLength: 30, size: 'max' }).map((records) => async () => {
      await operate('feed', records.map((each) => JSON.stringify(each)).join('\n'), FEED);
    }),
    fc
      .record({ collection: fc.constantFrom(...collections), full: fc.boolean() })
      .map(({ collection, full }) => async () => {
        await mirror.sync(hr, collection, { full, maxShrink: 1 });
      }),
  );
  // The service keeps its state from one run to the next, so a failure cannot be replayed in a smaller one.
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      for (const take of steps) await take();
      await syncAndCompare();
    }),
    { numRuns: 4, endOnFailure: true },
  );

  await operate('persons/100003/erase', '{}', 'application/json');
  await syncAndCompare();
  expect(mirror.person('100003')).toBeUndefined();
  expect([...mirror.absences({ personId: '100003' })]).toEqual([]);
});
