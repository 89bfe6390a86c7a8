import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from './call.ts';

let fake: RunningFakeHrCloud;
beforeAll(async () => {
  fake = await startFakeHrCloud({ clock: () => Date.parse('2026-03-10T12:00:00Z') });
  for (const date of ['2026-03-02', '2026-02-27', '2026-03-03']) {
    fake.state('a day of time bookings', { personId: 'b', date });
  }
  fake.state('a day of time bookings', { personId: 'B', date: '2026-03-02' });
  fake.state('a person who changed', { id: 'B', systems: ['time'], since: '2026-03-04' });
  fake.state('an absence', { personId: 'b', id: '2', startDate: '2026-03-01', endDate: '2026-03-05' });
  fake.state('an absence', { personId: 'b', id: '1', startDate: '2026-03-01', endDate: null });
  fake.state('an absence', { personId: 'b', id: '3', startDate: '2026-02-01', endDate: '2026-02-02' });
});
afterAll(() => fake.stop());

test.each<[query: string, shown: Record<string, string[]>]>([
  ['', { B: ['2026-03-02'], b: ['2026-02-27', '2026-03-02', '2026-03-03'] }],
  ['?startDate=2026-03-02&endDate=2026-03-02', { B: ['2026-03-02'], b: ['2026-03-02'] }],
  ['?endDate=2026-03-01', { b: ['2026-02-27'] }],
  ['?changedSince=2026-03-05', { b: ['2026-02-27', '2026-03-02', '2026-03-03'] }],
  ['?changedSince=2026-03-04&startDate=2026-03-01&endDate=2026-03-02', { B: ['2026-03-02'], b: ['2026-03-02'] }],
  ['?changedSince=2026-03-11', {}],
])('time bookings%s', async (query, shown) => {
  const accounts = (await call(fake, `GET /api/v1/time-bookings${query}`)).json as {
    personId: string;
    days: { date: string }[];
  }[];
  const dates = accounts.map(({ personId, days }) => [personId, days.map(({ date }) => date)]);
  expect(dates).toEqual(Object.entries(shown));
});

test.each([
  ['', ['3', '1', '2']],
  ['?from=2026-03-05', ['1', '2']],
  ['?from=2026-03-06', ['1']],
  ['?to=2026-02-28', ['3']],
  ['?changedSince=2026-03-10', ['3', '1', '2']],
  ['?changedSince=2026-03-11', []],
])('absences%s', async (query, ids) => {
  const absences = (await call(fake, `GET /api/v1/persons/b/absences${query}`)).json as { id: string }[];
  expect(absences.map(({ id }) => id)).toEqual(ids);
});
