import type { Given, ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { absence, day, otherAbsence, otherDay, otherId, personId } from './records.ts';

const [from, to, changedSince] = ['2026-01-14', '2026-01-31', '2026-01-20'];
const dates = [day.date, otherDay.date];
const changed = [personId, otherId].flatMap((id): ProviderState[] => [
  ...dates.map((date): ProviderState => ['a day of time bookings', { personId: id, date }]),
  ['a person who changed', { id, systems: ['time'], since: changedSince }],
]);
const bookings = [
  { personId, days: [day, otherDay] },
  { personId: otherId, days: [day, otherDay] },
] as const;

test.each([
  ['all days', {}],
  ['the days since one', { from }],
  ['the days until one', { to }],
  ['the days of a period', { from, to }],
  ['the days that changed', { changedSince }],
  ['the days of a period that changed', { from, to, changedSince }],
])('bookings of %s', async (name, query) => {
  const interaction = contract.interaction('listTimeBookings', {
    description: `listTimeBookings: 200 of ${name}`,
    given: changed,
    request: { query },
    example: bookings,
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.bookings(query)).resolves.toEqual(bookings);
  });
});

test('changes of bookings that delete a day', async () => {
  const deletedDay = { date: day.date, bookings: null, deleted: true as const };
  const interaction = contract.interaction('listTimeBookings', {
    description: 'listTimeBookings: 200 with a deleted day',
    given: ['a deleted day of time bookings', { personId, date: day.date }],
    request: { query: { changedSince } },
    example: [{ personId, days: [deletedDay] }],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.bookings({ changedSince })).resolves.toMatchObject([
      { personId, days: [deletedDay] },
    ]);
  });
});

const changedBefore: ProviderState = ['a person who changed', { id: personId, systems: ['time'], since: '2026-01-19' }];

test.each([
  ['before the first', { from: '2026-01-16' }],
  ['after the last', { to: '2026-01-14' }],
  ['that changed before', { changedSince }],
])('no bookings but of days %s', async (_, query) => {
  const interaction = contract.emptyList('listTimeBookings', {
    given: [['a day of time bookings', { personId, date: day.date }], changedBefore],
    request: { query },
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.bookings(query)).resolves.toEqual([]);
  });
});

const { startDate, endDate } = absence;
const absences: Given = [
  ['an absence', { personId, startDate, endDate }],
  ['an absence', { personId, startDate: otherAbsence.startDate, endDate: otherAbsence.endDate }],
  ['a person who changed', { id: personId, systems: ['time'], since: changedSince }],
];

test.each([
  ['any time', {}],
  ['a day', { from }],
  ['the time until a day', { to }],
  ['a period', { from, to }],
  ['any time that changed', { changedSince }],
])('absences at %s', async (name, query) => {
  const interaction = contract.interaction('listAbsences', {
    description: `listAbsences: 200 at ${name}`,
    given: absences,
    request: { path: { personId }, query },
    example: [absence, otherAbsence],
  });
  await interaction.run(async (cloud) => {
    const listed = clientFor(cloud).time.absences(personId, query);
    await expect(listed).resolves.toEqual([absence, otherAbsence]);
  });
});

test.each([
  ['before the day', { from: '2026-01-17' }],
  ['after the last day', { to: '2026-01-11' }],
  ['that changed before', { changedSince }],
])('no absences but %s', async (_, query) => {
  const given: Given = [['an absence', { personId, startDate, endDate }], changedBefore];
  const ofPerson = contract.emptyList('listAbsences', { given, request: { path: { personId }, query } });
  await ofPerson.run(async (cloud) => {
    await expect(clientFor(cloud).time.absences(personId, query)).resolves.toEqual([]);
  });
  const ofAll = contract.emptyList('listAllAbsences', { given, request: { query } });
  await ofAll.run(async (cloud) => {
    await expect(clientFor(cloud).time.allAbsences(query)).resolves.toEqual([]);
  });
});

test('an absence that goes on', async () => {
  const { endDate: _endDate, amount: _amount, ...openEnded } = absence;
  const interaction = contract.interaction('listAbsences', {
    description: 'listAbsences: 200 without an end',
    given: ['an absence', { personId, startDate, endDate: null }],
    request: { path: { personId }, query: { to } },
    example: [openEnded],
  });
  await interaction.run(async (cloud) => {
    const overlapping = clientFor(cloud).time.absencesOverlapping(personId, { from, to });
    await expect(overlapping).resolves.toEqual([openEnded]);
  });
});

test('changes of absences that delete one', async () => {
  const deletedAbsence = { id: absence.id, personId, startDate: null, deleted: true as const };
  const interaction = contract.interaction('listAbsences', {
    description: 'listAbsences: 200 with a deleted absence',
    given: ['a deleted absence', { personId, id: absence.id }],
    request: { path: { personId }, query: { changedSince } },
    example: [deletedAbsence],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.absences(personId, { changedSince })).resolves.toMatchObject([deletedAbsence]);
  });
});
