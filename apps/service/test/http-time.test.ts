import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyDriver } from './drivers.ts';
import { dateAllChanges } from './feed.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const day = (date: string): object => ({
  date,
  targetTime: 8,
  bookedTime: 8.3,
  bookings: [{ time: `${date}T08:00:00`, key: 'IN' }],
});
const booked = [
  { personId: 'P-2', days: ['2026-03-02', '2026-03-03'] },
  { personId: 'p-1', days: ['2026-02-27', '2026-03-02'] },
];
const absences = [
  ['a-5', '2025-01-01', undefined],
  ['a-1', '2026-03-01', '2026-03-10'],
  ['a-2', '2026-03-01', '2026-03-01'],
  ['a-3', '2026-03-11', '2026-03-20'],
  ['a-4', '2026-04-01', undefined],
].map(([id, startDate, endDate]) => ({ id, personId: 'p-1', startDate, endDate, amount: 1.5, key: 'X' }));
const feed = [
  { kind: 'person', id: 'p-1' },
  { kind: 'person', id: 'P-2' },
  { kind: 'person', id: 'p-3' },
  ...booked.flatMap(({ personId, days }) => days.map((date) => ({ kind: 'timeDay', personId, ...day(date) }))),
  { kind: 'timeDay', personId: 'nobody', ...day('2026-03-02') },
  ...absences.toReversed().map((absence) => ({ kind: 'absence', ...absence })),
  { kind: 'absence', id: 'other', personId: 'P-2', startDate: '2026-03-01' },
];

describe.each(anyDriver)('time on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
    await load(service.database, feed);
    await dateAllChanges(service.database, '2026-03-05T12:00:00Z');
    await service.database.query(`
      with later as (insert into change_set (changed_at) values ('2026-03-07T12:00:00Z') returning id),
      absences as (update absence set change = later.id from later where absence.id = 'a-4'),
      days as (update time_day set change = later.id from later where date = '2026-03-03' returning person_id)
      update time_account set change = later.id from later where person_id in (select person_id from days)`);
  });
  afterAll(() => service.stop());

  test.each([
    ['', booked],
    ['?startDate=2026-03-01', [booked[0], { personId: 'p-1', days: ['2026-03-02'] }]],
    ['?endDate=2026-03-02', [{ personId: 'P-2', days: ['2026-03-02'] }, booked[1]]],
    ['?startDate=2026-02-27&endDate=2026-02-27', [{ personId: 'p-1', days: ['2026-02-27'] }]],
    ['?changedSince=2026-03-06', [{ personId: 'P-2', days: ['2026-03-03'] }]],
    ['?changedSince=2026-03-06&endDate=2026-03-02', []],
    ['?startDate=2027-01-01', []],
  ])('bookings%s are by person and day', async (query, expected) => {
    const { status, body } = await service.send('GET', `/api/v1/time-bookings${query}`);
    expect(status).toBe(200);
    expect(body).toEqual(expected.map((person) => ({ ...person, days: person?.days.map(day) })));
  });

  test.each([
    ['', ['a-5', 'a-1', 'a-2', 'a-3', 'a-4']],
    ['?from=2026-03-01', ['a-5', 'a-1', 'a-2']],
    ['?from=2026-03-10', ['a-5', 'a-1']],
    ['?to=2026-03-11', ['a-5', 'a-1', 'a-2', 'a-3']],
    ['?from=2026-03-05&to=2026-03-11', ['a-5', 'a-1', 'a-3']],
    ['?from=2026-03-21&to=2026-03-31', ['a-5']],
    ['?changedSince=2026-03-06', ['a-4']],
    ['?changedSince=2026-03-06&to=2026-03-31', []],
  ])('absences%s are by start and id', async (query, ids) => {
    const { body } = await service.send('GET', `/api/v1/persons/p-1/absences${query}`);
    expect(body).toEqual(ids.map((id) => JSON.parse(JSON.stringify(absences.find((absence) => absence.id === id)))));
  });

  test.each([
    ['/api/v1/persons/p-3/absences', 200, []],
    ['/api/v1/persons/nobody/absences', 404, {}],
    ['/api/v1/persons/p-1/absences?startDate=2026-03-01', 400, { errors: [{ pointer: '/startDate' }] }],
    ['/api/v1/persons/p-1/absences?from=2026-03-02&to=2026-03-01', 400, { errors: [{ pointer: '/from' }] }],
    ['/api/v1/time-bookings?from=2026-03-01', 400, { errors: [{ pointer: '/from', code: 'unknown-name' }] }],
    ['/api/v1/time-bookings?startDate=2026-03-02&endDate=2026-03-01', 400, { errors: [{ pointer: '/startDate' }] }],
    ['/api/v1/time-bookings?startDate=2026-02-29', 400, { errors: [{ pointer: '/startDate', code: 'wrong-format' }] }],
    ['/api/v1/time-bookings?changedSince=0000-01-01', 400, { errors: [{ pointer: '/changedSince' }] }],
  ])('%s is %i', async (path, status, body) => {
    expect(await service.send('GET', path)).toMatchObject({ status, body });
  });
});

test('with an older time-recording component, the time operations conflict and nothing else does', async () => {
  const service = await startService('postgres', { HR_TIME_COMPONENT_VERSION: '63.11.9' });
  const problem = {
    type: 'urn:hr-cloud:problem:time-component-version',
    installed: '63.11.9',
    required: '63.11.20',
  };
  for (const [path, status] of [
    ['/api/v1/time-bookings', 409],
    ['/api/v1/persons/nobody/absences', 409],
    ['/api/v1/time-bookings?x=1', 400],
    ['/api/v1/persons', 200],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await service.send('GET', path)).toMatchObject({ status, body: status === 409 ? problem : {} });
  }
  await service.stop();
});
