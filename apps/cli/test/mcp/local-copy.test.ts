import { expect, onTestFinished, test, vi } from 'vitest';
import { openSession, startCompany, waitUntil, type Company } from './session.ts';

const everyone = '/api/v1/persons';
const window = { from: '2026-10-12', to: '2026-10-18' };

async function newCompany(persons = 20): Promise<Company> {
  const company = await startCompany(persons);
  onTestFinished(() => company[Symbol.asyncDispose]());
  return company;
}

function newGate(): { readonly open: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: promise, release: resolve };
}

function countOf({ fake }: Company, operation: string): number {
  return fake.requests.filter((request) => request.operation === operation).length;
}

test('calls share the reading of the local copy, which later calls use until it is old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const company = await newCompany();
  await using session = await openSession(company);
  await Promise.all([
    session.call('listAbsences', window),
    session.call('listAbsences', window),
    session.call('listGroups'),
  ]);
  expect([countOf(company, 'listPersons'), countOf(company, 'listAllAbsences')]).toEqual([1, 1]);
  vi.setSystemTime(Date.now() + 4 * 60_000);
  await session.call('listAbsences', window);
  expect([countOf(company, 'listPersons'), countOf(company, 'listAllAbsences')]).toEqual([1, 1]);
  vi.setSystemTime(Date.now() + 6 * 60_000);
  await session.call('listAbsences', window);
  expect([countOf(company, 'listPersons'), countOf(company, 'listAllAbsences')]).toEqual([2, 2]);
});

test('absences that must be read person by person are read again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const company = await newCompany();
  company.fake.failNext('listAllAbsences', 403, 9);
  await using session = await openSession(company);
  await session.call('listAbsences', window);
  vi.setSystemTime(Date.now() + 59 * 60_000);
  await session.call('listAbsences', window);
  expect([countOf(company, 'listPersons'), countOf(company, 'listAbsences')]).toEqual([2, 20]);
  vi.setSystemTime(Date.now() + 2 * 60_000);
  await session.call('listAbsences', window);
  expect([countOf(company, 'listPersons'), countOf(company, 'listAbsences')]).toEqual([2, 40]);
});

test('refresh reads the copy again, unless this server has just read it', async () => {
  const company = await newCompany();
  await company.mirror.sync(company.hr, 'persons');
  await company.mirror.sync(company.hr, 'absences');
  await using session = await openSession(company);
  await session.call('listAbsences', window);
  expect(countOf(company, 'listAllAbsences')).toBe(1);
  await session.call('listAbsences', { ...window, refresh: true });
  await session.call('listAbsences', { ...window, refresh: true });
  expect(countOf(company, 'listAllAbsences')).toBe(2);
});

test('the client sees the progress of reading, which never goes back', async () => {
  const company = await newCompany();
  await using session = await openSession(company);
  const seen: number[] = [];
  await session.client.callTool({ name: 'listAbsences', arguments: window }, undefined, {
    onprogress({ progress }) {
      seen.push(progress);
    },
  });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
});

test('if the HR Cloud fails, an older copy answers and says why; without a copy the call fails', async () => {
  const company = await newCompany();
  company.fake.failNext('listPersons', 503);
  await using session = await openSession(company);
  await expect(session.failure('listPersons')).resolves.toMatch(/no complete local copy of the persons yet\. .*503/);
  await expect(session.call('listPersons')).resolves.toMatchObject({ total: 20 });

  company.fake.failNext('listAllAbsences', 503);
  await expect(session.failure('listAbsences', window)).resolves.toContain('no complete local copy of the absences');
  await session.call('listAbsences', window);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.setSystemTime(Date.now() + 10 * 60_000);
  company.fake.failNext('listPersons', 503);
  const { notice, total } = await session.call('listPersons');
  expect(total).toBe(20);
  expect(notice).toMatch(/^The local copy of the persons is not up to date\. .*503/);
});

test('a call does not wait long for a slow reading, which goes on for the next call', async () => {
  const company = await newCompany();
  const { open, release } = newGate();
  company.gate = { path: everyone, open };
  await using session = await openSession(company, { maxWaitMs: 10 });
  await expect(session.failure('listPersons')).resolves.toContain('Call the tool again in a minute.');
  await expect(session.failure('listPersons')).resolves.toContain('Call the tool again in a minute.');
  release();
  await waitUntil(() => company.mirror.countPersons() > 0);
  await expect(session.call('listPersons')).resolves.toMatchObject({ total: 20 });
  expect(countOf(company, 'listPersons')).toBe(1);
});

test('a cancelled call aborts the reading that only it waits for', async () => {
  const company = await newCompany();
  const { open, release } = newGate();
  onTestFinished(release);
  company.gate = { path: everyone, open };
  await using session = await openSession(company);
  const [one, other] = [new AbortController(), new AbortController()];
  const calls = [one, other].map(({ signal }) =>
    session.client.callTool({ name: 'listPersons' }, undefined, { signal }).catch((error: unknown) => error),
  );
  one.abort();
  await waitUntil(() => session.log().length === 1);
  expect(company.aborted).toEqual([]);
  other.abort();
  await waitUntil(() => session.log().length === 2);
  await Promise.all(calls);
  expect(company.aborted).toEqual([everyone]);
  expect(session.log()).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
  company.gate = undefined;
  await expect(session.call('listPersons')).resolves.toMatchObject({ total: 20 });
});
