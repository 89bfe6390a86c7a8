import { deletedAbsence, deletedTimeBookingDay, type System } from '@hr/schemas/rules';
import type { ProviderState } from '@hr/testing/states';
import { having, ok, problem, when, type Case, type Cases } from './case.ts';

const day = (personId: string, date: string): ProviderState => ['a day of time bookings', { personId, date }];
const deletedDay = (personId: string, date: string): ProviderState => [
  'a deleted day of time bookings',
  { personId, date },
];
const booked: readonly ProviderState[] = [
  day('b', '2026-03-03'),
  day('b', '2026-03-02'),
  day('B', '2026-02-27'),
  ['a person', { id: 'c' }],
  day('B', '2026-03-02'),
];

const list = 'GET /api/v1/time-bookings';

/** What is shown of each person: the days. */
function bookings(query: string, shown: Readonly<Record<string, readonly string[]>>, states = booked): Case {
  const told = Object.entries(shown).map(([personId, dates]) => ({
    personId,
    days: dates.map((date) => having({ date })),
  }));
  return when(states, ok(told), list + query);
}

const changed = (id: string, since: string, ...systems: System[]): ProviderState => [
  'a person who changed',
  { id, systems: systems.length > 0 ? systems : ['time'], since },
];
const gone = (id: string): (readonly [string, ProviderState])[] => [
  ['deleted', ['a deleted person', { id }]],
  ['erased', ['an erased person', { id }]],
];

/** The time bookings (section 4.4). */
export const bookingCases: Cases = {
  'are by person and day': bookings('', { B: ['2026-02-27', '2026-03-02'], b: ['2026-03-02', '2026-03-03'] }),
  'from a day on': bookings('?startDate=2026-03-01', { B: ['2026-03-02'], b: ['2026-03-02', '2026-03-03'] }),
  'up to a day leave out who has none': bookings('?endDate=2026-02-28', { B: ['2026-02-27'] }),
  'of one day': bookings('?startDate=2026-03-03&endDate=2026-03-03', { b: ['2026-03-03'] }),
  'of days without any': bookings('?startDate=2030-01-01', {}),
  'of nobody': bookings('', {}, []),
  'that changed': bookings('?changedSince=2026-03-05', { B: ['2026-02-27', '2026-03-02'] }, [
    ...booked,
    changed('b', '2026-03-04'),
    changed('B', '2026-03-05'),
  ]),
  'that changed are filtered by day as well': bookings(
    '?changedSince=2026-03-04&endDate=2026-03-01',
    { B: ['2026-02-27'] },
    [...booked, changed('B', '2026-03-05', 'master'), changed('B', '2026-03-05')],
  ),
  'of a change of other systems are none': bookings('?changedSince=2026-03-05', {}, [
    day('b', '2026-03-02'),
    changed('b', '2026-03-05', 'master', 'payroll'),
  ]),
  'that were deleted are told so': when(
    [...booked, deletedDay('b', '2026-03-02'), deletedDay('B', '2026-03-03')],
    ok([
      { personId: 'B', days: [having({ date: '2026-03-02' }), deletedTimeBookingDay('2026-03-03')] },
      { personId: 'b', days: [deletedTimeBookingDay('2026-03-02'), having({ date: '2026-03-03' })] },
    ]),
    `${list}?changedSince=2026-03-05&startDate=2026-03-02`,
  ),
  'that were deleted show in no whole list': bookings('', { b: ['2026-03-03'] }, [
    day('b', '2026-03-03'),
    deletedDay('b', '2026-03-02'),
    deletedDay('c', '2026-03-02'),
  ]),
  'that change in the future are none': bookings('?changedSince=2999-01-01', {}),
  ...Object.fromEntries(
    gone('b').flatMap(([verb, state]): [string, Case][] => [
      [`of somebody who was ${verb} are none`, bookings('', {}, [day('b', '2026-03-02'), state])],
      [
        `of somebody who was ${verb} are told as deleted`,
        when(
          [...booked, state],
          ok([{ personId: 'b', days: [deletedTimeBookingDay('2026-03-03')] }]),
          `${list}?changedSince=2026-03-05&startDate=2026-03-03`,
        ),
      ],
    ]),
  ),
  'need a time component that is new enough': when(
    [...booked, ['an outdated time component', { version: '63.11.9' }]],
    { ...problem('time-component-version'), body: having({ installed: '63.11.9', required: '63.11.20' }) },
    list,
  ),
  'are checked before the time component is': when(
    [['an outdated time component']],
    problem('invalid-request', '/x unknown-name'),
    `${list}?x=1`,
  ),
};

const absence = (id: string, startDate: string, endDate: string | null, personId = '1'): ProviderState => [
  'an absence',
  { personId, id, startDate, endDate },
];
const away: readonly ProviderState[] = [
  absence('a-4', '2026-04-01', null),
  absence('a-3', '2026-03-11', '2026-03-20'),
  absence('a-2', '2026-03-01', '2026-03-01'),
  absence('A-1', '2026-03-01', '2026-03-10'),
  absence('a-5', '2025-01-01', null),
  absence('other', '2026-03-01', null, '2'),
];
const deletedOne: ProviderState = ['a deleted absence', { personId: '1', id: 'a-9' }];
const absencesOf = 'GET /api/v1/persons/1/absences';

const open = absence('a-1', '2026-03-01', null);
const shown = (id: string): unknown => having({ id, personId: '1' });

function shows(given: readonly ProviderState[], query: string, ...told: readonly unknown[]): Case {
  return when(given, ok(told), absencesOf + query);
}

function absences(query: string, ...ids: readonly string[]): Case {
  return shows(away, query, ...ids.map(shown));
}

/** The absences of a person (section 4.6). */
export const absenceCases: Cases = {
  'are by start, then id': absences('', 'a-5', 'A-1', 'a-2', 'a-3', 'a-4'),
  'from a day are those that run on it': absences('?from=2026-03-01', 'a-5', 'A-1', 'a-2'),
  'from their last day': absences('?from=2026-03-10', 'a-5', 'A-1'),
  'up to a day have begun': absences('?to=2026-03-11', 'a-5', 'A-1', 'a-2', 'a-3'),
  'of a window touch it': absences('?from=2026-03-05&to=2026-03-11', 'a-5', 'A-1', 'a-3'),
  'of a window of a day': absences('?from=2026-03-20&to=2026-03-20', 'a-5', 'a-3'),
  'of a window without any but those without end': absences('?from=2030-01-01&to=2030-01-31', 'a-5', 'a-4'),
  'of long ago': absences('?from=2000-01-01'),
  'that changed': shows([...away, changed('1', '2026-03-04')], '?changedSince=2026-03-04&to=2026-02-28', shown('a-5')),
  'that were deleted are told so, whatever the window': shows(
    [...away, deletedOne],
    '?changedSince=2026-03-04&to=2025-01-01',
    deletedAbsence('a-9', '1'),
    shown('a-5'),
  ),
  'that were deleted show in no whole list': shows([open, deletedOne], '', shown('a-1')),
  'that changed before are left out': shows([...away, changed('1', '2026-03-04')], '?changedSince=2026-03-05'),
  'of a change of other systems': shows([...away, changed('1', '2026-03-04', 'master')], '?changedSince=2026-03-04'),
  'of somebody without any': shows([['a person', { id: '1' }]], ''),
  'of somebody unknown': when([], problem('not-found'), absencesOf),
  ...Object.fromEntries(
    gone('1').flatMap(([verb, state]): [string, Case][] => [
      [`of somebody who was ${verb}`, when([...away, state], problem('not-found'), absencesOf)],
      [
        `that are gone with somebody who was ${verb} are told as deleted, whatever the window`,
        shows(
          [open, absence('a-2', '2026-02-01', null), state],
          '?changedSince=2026-03-05&to=2020-01-01',
          deletedAbsence('a-1', '1'),
          deletedAbsence('a-2', '1'),
        ),
      ],
    ]),
  ),
  'of somebody who is gone since before': when(
    [...away, ['a deleted person', { id: '1' }]],
    problem('not-found'),
    `${absencesOf}?changedSince=2999-01-01`,
  ),
  'of somebody unknown need a time component that is new enough': when(
    [['an outdated time component']],
    problem('time-component-version'),
    absencesOf,
  ),
};
