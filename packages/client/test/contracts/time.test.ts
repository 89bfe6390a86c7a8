import type { TimeBookingPerson } from '@hr/schemas';
import type { Example } from '@hr/testing/pact';
import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, collected, contract } from './contract.ts';
import { absence, day, personId } from './records.ts';

const [from, to, changedSince] = ['2026-01-14', '2026-01-31', '2026-01-20'];
const changed: ProviderState = ['a person who changed', { id: personId, systems: ['time'], since: changedSince }];
const bookings = { personId, days: [day] } satisfies Example<TimeBookingPerson>;

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
    given: [['a day of time bookings', { personId, date: day.date }], changed],
    request: { query },
    example: [bookings],
  });
  await interaction.run(async (cloud) => {
    const hr = clientFor(cloud);
    await expect(hr.time.bookings(query)).resolves.toEqual([bookings]);
    await expect(collected(hr.time.bookings(query))).resolves.toEqual([bookings]);
  });
});

const { startDate, endDate } = absence;
const anAbsence: ProviderState = ['an absence', { personId, startDate, endDate }];

test.each([
  ['any time', {}],
  ['a day', { from }],
  ['the time until a day', { to }],
  ['a period', { from, to }],
  ['any time that changed', { changedSince }],
])('absences at %s', async (name, query) => {
  const interaction = contract.interaction('listAbsences', {
    description: `listAbsences: 200 at ${name}`,
    given: [anAbsence, changed],
    request: { path: { personId }, query },
    example: [absence],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).time.absences(personId, query)).resolves.toEqual([absence]);
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
    const absences = clientFor(cloud).time.absencesOverlapping(personId, { from, to });
    await expect(absences).resolves.toEqual([openEnded]);
  });
});
